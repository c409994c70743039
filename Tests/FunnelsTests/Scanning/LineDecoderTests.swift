import EventFiles
import Testing

@testable import Funnels

@Suite("Decoded lines")
struct LineDecoderTests {
    private func decode(_ line: String) -> [String]? {
        var found: [String]?
        let isGood = Array(line.utf8).withUnsafeBytes { bytes in
            LineDecoder().decode(bytes) { head in
                var texts = [head.name, head.user, head.session, head.system, head.props].map { String(decoding: $0, as: UTF8.self) }
                // Of an id only the fingerprint is kept.
                texts.insert(["i", "\\"].first { Fingerprint.of($0) == head.id } ?? (head.id.isNone ? "" : "another"), at: 3)
                found = ["\(head.time)", "\(head.sequence)", "\(head.kind)"] + texts
            }
        }
        #expect(isGood == (found != nil))
        return found
    }

    @Test(
        "heads",
        arguments: [
            (
                #"{"v":1,"t_ms":5,"name":"a","user":"u","session":"s","seq":7,"id":"i","system":"x","props":{"p":1}}"#,
                ["5", "7", "event", "a", "u", "s", "i", "x", #"{"p":1}"#]
            ),
            (#"{"v":1,"t_ms":5,"name":"a","id":"i","type":"meta","props":{}}"#, ["5", "0", "meta", "a", "", "", "i", "", "{}"]),
            (#"{"t_ms":5,"name":"a","type":"timing"}"#, ["5", "0", "timing", "a", "", "", "", "", ""]),
            (
                #"{ "name" : "a\"\u00e4" , "user" : "\n" , "session":"\t","id":"\\","system":"\/","t_ms" : -5 }"#,
                ["-5", "0", "event", "a\"ä", "\n", "\t", "\\", "/", ""]
            ),
            (#"{"name":"a","t_ms":1,"user":null,"props":null}"#, ["1", "0", "event", "a", "", "", "", "", ""]),
        ])
    func heads(line: String, expected: [String]) { #expect(decode(line) == expected) }

    @Test("bad lines have no head", arguments: ["", "{}", #"{"t_ms":"5","name":"a"}"#, #"{"v":2,"t_ms":5,"name":"a"}"#, "no JSON"])
    func badLines(line: String) { #expect(decode(line) == nil) }

    @Test func `a text written with escapes has the fingerprint of the text`() {
        func fingerprint(_ line: String) -> Fingerprint? {
            var found: Fingerprint?
            _ = Array(line.utf8).withUnsafeBytes { bytes in LineDecoder().decode(bytes) { found = Fingerprint.of($0.user) } }
            return found
        }
        #expect(fingerprint(#"{"t_ms":5,"name":"a","user":"\u0075ä"}"#) == fingerprint(#"{"t_ms":5,"name":"a","user":"uä"}"#))
    }
}
