import Basics
import CPages
import Deflate
import TrackingEvents

/// One HTML file that holds a session and shows it without asking anybody for anything.
package enum InspectPage {
    /// - Parameters:
    ///   - lines: as ``/LoopRecording/RecordedSteps/pageLines(from:to:problems:)`` makes them.
    ///   - title: names the page.
    /// - Returns: the same bytes for the same lines.
    package static func html(_ lines: [String], title: String) -> [UInt8] {
        let script = bytes(page_inspect_script())
        let payload = Array(lines.joined(separator: "\n").utf8)
        let packed = payload.withUnsafeBytes { GzipMember.packed($0) }
        let page = ByteBuffer(capacity: packed.count * 4 / 3 + script.count + 16_384)
        let digest = SHA256.digest(of: script)
        page.append("<!doctype html>\n<html lang=\"en\" data-ready=\"0\">\n<head>\n<meta charset=\"utf-8\">\n")
        page.append(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-")
        Base64.append(digest.indices.map { digest[$0] }, to: page)
        page.append("'; form-action 'none'; base-uri 'none'\">\n")
        page.append(
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n<title>"
        )
        page.append(escaped(title).utf8)
        page.append("</title>\n<style>\n")
        page.append(bytes(page_inspect_style()))
        page.append(
            "</style>\n</head>\n<body>\n<noscript>This page needs scripts: everything it shows is made from the recording inside it.</noscript>\n"
        )
        page.append("<div id=\"app\"></div>\n<script type=\"application/octet-stream\" id=\"data\">")
        Base64.append(packed, to: page)
        page.append("</script>\n<script>")
        page.append(script)
        page.append("</script>\n</body>\n</html>\n")
        return Array(page.bytes)
    }

    private static func bytes(_ file: page_file) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: file.bytes, count: file.count) }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { $0 += $1 == "<" ? "&lt;" : $1 == "&" ? "&amp;" : String($1) }
    }
}
