import Testing
import TrackingEvents

/// Good lines, changed in small ways: cut, a byte replaced, keys shuffled, white space put in.
@Suite struct ChangedLinesTests {
    private static let lines = [
        #"{"v":1,"t_ms":1767225600006,"name":"cart","user":"u1","session":"s9","seq":17,"id":"01","type":"meta","system":"C","props":{"s":"A}","p":9.5}}"#,
        #"{"v":1,"t_ms":5,"name":"a","props":{"a":{"b":[1,{"c":"\"}"}]}}}"#, #"{"t_ms":5,"name":"a","props":{}}"#,
        #"{"t_ms":5,"name":"ü\u00fc","user":"\ud83d\ude00","x":[true,false,null,-1.5e3]}"#,
        #"{"t_ms":5,"name":"a","props":{"a":1},"x":{"y":{}}}"#,
    ]

    private func isGood(_ result: Result<ScannedLine, BadLine>) -> Bool { (try? result.get()) != nil }

    @Test(arguments: lines)
    func `a line cut at any byte is bad, and its fault lies on it`(text: String) throws {
        let bytes = Array(text.utf8)
        #expect(isGood(ScannedLine.of(bytes, .wholeLine)))
        for end in 0..<bytes.count {
            for scope in [EventLineScanner.Scope.head, .wholeLine] {
                guard case .failure(let problem) = ScannedLine.of(Array(bytes[..<end]), scope) else {
                    // The head scan does not look into `props`, so it takes the last brace of `props` for that of the line.
                    #expect(scope == .head && bytes[end - 1] == UInt8(ascii: "}"), "cut at \(end): \(text)")
                    continue
                }
                #expect((0...end).contains(problem.byteOffset), "cut at \(end)")
                #expect(!problem.description.isEmpty)
            }
        }
    }

    @Test(arguments: lines)
    func `with any byte replaced, a line that is good as a whole has the same head in both scans`(text: String) {
        let original = Array(text.utf8)
        var stillGood = 0
        for place in original.indices {
            for byte in Array(#"{}[]",:\ 0-eu"#.utf8) + [0, 0x0A, 0x1F, 0x7F, 0x80, 0xC3, 0xED, 0xFF] {
                var bytes = original
                bytes[place] = byte
                let (head, whole) = (ScannedLine.of(bytes), ScannedLine.of(bytes, .wholeLine))
                for case .failure(let problem) in [head, whole] { #expect((0...bytes.count).contains(problem.byteOffset)) }
                guard isGood(whole) else { continue }
                stillGood += 1
                #expect(head == whole, "\(String(decoding: bytes, as: UTF8.self))")
            }
        }
        #expect(stillGood > 50)
    }

    @Test(arguments: lines)
    func `with any byte removed or doubled, a line that is good as a whole has the same head in both scans`(text: String) {
        let original = Array(text.utf8)
        for place in original.indices {
            var (shorter, longer) = (original, original)
            shorter.remove(at: place)
            longer.insert(original[place], at: place)
            for bytes in [shorter, longer] {
                let whole = ScannedLine.of(bytes, .wholeLine)
                if isGood(whole) { #expect(ScannedLine.of(bytes) == whole, "\(String(decoding: bytes, as: UTF8.self))") }
            }
        }
    }

    @Test func `the order of keys does not matter`() throws {
        let entries = [
            #""v":1"#, #""t_ms":1767225600006"#, #""name":"n}""#, #""user":"u""#, #""session":"s""#, #""seq":3"#, #""id":"i""#,
            #""type":"timing""#, #""system":"y""#, #""props":{"a":{"b":"}}"}}"#,
        ]
        let expected = ScannedLine(
            time: 1_767_225_600_006, name: "n}", user: "u", session: "s", sequence: 3, id: "i", kind: .timing, system: "y",
            properties: #"{"a":{"b":"}}"}}"#)
        var random = SeededRandom(seed: 11)
        var orders = (0..<2000).map { _ in entries.shuffled(using: &random) }
        for first in entries.indices {
            for second in entries.indices {
                var swapped = entries
                swapped.swapAt(first, second)
                orders.append(swapped)
            }
        }
        for order in orders {
            let text = "{" + order.joined(separator: ",") + "}"
            for scope in [EventLineScanner.Scope.head, .wholeLine] {
                let line = try ScannedLine.of(text, scope).get()
                #expect(line == expected, "\(text)")
            }
        }
    }

    @Test(arguments: [" ", "\t", "\r", "\n", " \t\r\n  "])
    func `white space between any two tokens does not matter`(space: String) throws {
        let tokens = [
            "{", #""v""#, ":", "1", ",", #""t_ms""#, ":", "5", ",", #""name""#, ":", #""a b""#, ",", #""user""#, ":", #""u""#, ",", #""x""#,
            ":",
            "[", "1", ",", "{", "}", ",", "[", "]", "]", ",", #""props""#, ":", "{", #""k""#, ":", "null", "}", "}",
        ]
        for place in 0...tokens.count {
            var spaced = tokens
            spaced.insert(space, at: place)
            for scope in [EventLineScanner.Scope.head, .wholeLine] {
                let line = try ScannedLine.of(spaced.joined(), scope).get()
                #expect(line.time == 5 && line.name == "a b" && line.user == "u")
                #expect(line.properties?.filter { !$0.isWhitespace } == #"{"k":null}"#)
            }
        }
        let everywhere = space + tokens.joined(separator: space) + space
        #expect(try ScannedLine.of(everywhere).get().user == "u")
    }

    @Test(arguments: ["\u{C}", "\u{B}", "\u{A0}", "\u{FEFF}", "\u{2028}", "\0", "/**/", "#"])
    func `a character that is no white space in JSON makes the line bad`(text: String) {
        for line in [text + #"{"t_ms":5,"name":"a"}"#, #"{"t_ms":5,"name":"a"}"# + text, #"{"t_ms":"# + text + #"5,"name":"a"}"#] {
            for scope in [EventLineScanner.Scope.head, .wholeLine] { #expect(!isGood(ScannedLine.of(line, scope))) }
        }
    }

    @Test func `random bytes never crash, and a line that is good as a whole has the same head in both scans`() {
        var random = SeededRandom(seed: 12)
        let alphabet = Array(#"{}[]",:\ 0123456789.-+eEtfnrulase"#.utf8) + [0xC3, 0xBC, 0xF0, 0x9F, 0x98, 0x80, 0]
        var unlike = 0
        for _ in 0..<20_000 {
            var bytes = Array(Bool.random(using: &random) ? #"{"t_ms":5,"name":"a","props":"#.utf8 : "{".utf8)
            for _ in 0..<Int.random(in: 0..<30, using: &random) { bytes.append(alphabet.randomElement(using: &random) ?? 0) }
            let whole = ScannedLine.of(bytes, .wholeLine)
            let head = ScannedLine.of(bytes)
            if isGood(whole) && head != whole { unlike += 1 }
        }
        #expect(unlike == 0)
    }
}
