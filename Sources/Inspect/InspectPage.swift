import Basics
import CPages
import Deflate
import TrackingEvents

/// One HTML file that holds a session and shows it without loading anything else.
package enum InspectPage {
    /// The page of lines that ``/LoopRecording/RecordedSteps/pageLines(from:to:problems:)`` makes; the same bytes for the same lines.
    package static func html(_ lines: [String], title: String) -> [UInt8] {
        let script = page_inspect_script()
        let digest = SHA256.digest(of: UnsafeBufferPointer(start: script.bytes, count: script.count))
        let payload = Array(lines.joined(separator: "\n").utf8).withUnsafeBytes { GzipMember.packed($0) }
        return Array(
            """
            <!doctype html>
            <html lang="en" data-ready="0">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\(Base64.text(digest.indices.map { digest[$0] }))'; form-action 'none'; base-uri 'none'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <title>\(title.replacing("&", with: "&amp;").replacing("<", with: "&lt;"))</title>
            <style>
            \(text(page_inspect_style()))</style>
            </head>
            <body>
            <noscript>This page needs scripts: everything it shows is made from the recording inside it.</noscript>
            <div id="app"></div>
            <script type="application/octet-stream" id="data">\(Base64.text(payload))</script>
            <script>\(text(script))</script>
            </body>
            </html>

            """.utf8)
    }

    private static func text(_ file: page_file) -> String {
        String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
    }
}
