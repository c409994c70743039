import Basics
import Testing
import TrackingEvents

@Suite struct EventLineScannerTests {
    private static let full =
        #"{"v":1,"t_ms":1767225600006,"name":"cart_added","user":"u17","session":"s9","seq":17,"id":"0193","type":"meta","system":"Cart","props":{"sku":"A1","price":9.5}}"#

    @Test(arguments: [EventLineScanner.Scope.head, .wholeLine])
    func `every key of the head is taken`(scope: EventLineScanner.Scope) throws {
        let line = try ScannedLine.of(Self.full, scope).get()
        #expect(
            line
                == ScannedLine(
                    time: 1_767_225_600_006, name: "cart_added", user: "u17", session: "s9", sequence: 17, id: "0193", kind: .meta,
                    system: "Cart", properties: #"{"sku":"A1","price":9.5}"#))
    }

    @Test func `what the encoder writes is read back`() throws {
        var random = SeededRandom(seed: 5)
        for kind in [StampedEvent.Kind.track, .meta, .timing] {
            for (user, session, sequence, system) in [("u", "s", 3, "loop"), (nil, nil, nil, nil), ("ü\"\\\n", "s", 1, nil)]
                as [(String?, String?, Int64?, String?)]
            {
                for properties in [[:], ["a": 1, "b": ["c": "}"]], ["x": "},{\"y\":1"]] as [TrackingProperties] {
                    let event = StampedEvent(
                        timeMilliseconds: 1_767_225_600_000, event: .event("näme \"x\"", properties), user: user, session: session,
                        sequence: sequence, id: EventID(milliseconds: 1, random: &random), kind: kind, system: system)
                    let bytes = try #require(EventLineEncoder().line(of: event)).dropLast()
                    for scope in [EventLineScanner.Scope.head, .wholeLine] {
                        let line = try ScannedLine.of(Array(bytes), scope).get()
                        #expect(line.time == event.timeMilliseconds)
                        #expect(line.name == "näme \"x\"")
                        #expect(line.user == user)
                        #expect(line.session == session)
                        #expect(line.sequence == sequence ?? 0)
                        #expect(line.id == event.id.description)
                        #expect(line.kind == kind)
                        #expect(line.system == system)
                        #expect(line.properties?.first == "{")
                    }
                }
            }
        }
    }

    @Test("numbers of every length read the same by position and by the strict parser", arguments: 1...18)
    func numbers(digits: Int) throws {
        for first in [0, 1, 9] {
            let number = "\(first)" + String(repeating: "7", count: digits - 1)
            for end in ["", ".5", "e0", "/", ":", "x"] {
                let text = #"{"v":1,"t_ms":\#(number + end),"name":"ab","user":"u","seq":\#(number),"id":"0193","props":{"a":1}}"#
                let (byPosition, strictly) = (ScannedLine.of(text, .head), ScannedLine.of(text, .wholeLine))
                #expect((try? byPosition.get()) == (try? strictly.get()), "\(text)")
                if end.isEmpty && first > 0 && digits <= 15 { #expect(try byPosition.get().time == Int64(number)) }
            }
        }
    }

    /// Lines in other layouts with the same contents as `{"t_ms":5,"name":"ab"}`.
    @Test(arguments: [
        #"{"t_ms":5,"name":"ab"}"#, #"{"v":1,"t_ms":5,"name":"ab"}"#, #"{"name":"ab","t_ms":5}"#, #" { "t_ms" : 5 , "name" : "ab" } "#,
        "\t{\"t_ms\":5,\"name\":\"ab\"}\r", #"{"t_ms":5.0,"name":"ab"}"#, #"{"t_ms":5e0,"name":"ab"}"#, #"{"t_ms":0.5e1,"name":"ab"}"#,
        #"{"t_ms":50E-1,"name":"ab"}"#, #"{"t_ms":5.000000000000000000000000,"name":"ab"}"#, #"{"t_ms":5,"name":"\u0061b"}"#,
        #"{"t_ms":5,"n\u0061me":"ab"}"#, #"{"t_ms":1,"t_ms":5,"name":"ab"}"#, #"{"name":7,"t_ms":5,"name":"ab"}"#,
        #"{"v":null,"t_ms":5,"name":"ab","user":null,"session":null,"seq":null,"id":null,"type":null,"system":null,"props":null}"#,
        #"{"v":1.0,"t_ms":5,"name":"ab"}"#, #"{"v":0,"t_ms":5,"name":"ab","type":"track"}"#, #"{"v":-3,"t_ms":5,"name":"ab"}"#,
        #"{"t_ms":5,"name":"ab","x":{"name":"no","t_ms":[1,{"v":9}]},"y":[],"z":{}}"#, #"{"v":9,"v":1,"t_ms":5,"name":"ab"}"#,
        #"{"T_MS":9,"t_ms":5,"name":"ab","Name":"x"}"#, #"{"t_ms":5,"name":"ab","":1,"\n":2}"#,
        #"{"t_ms":5,"name":"ab","user":"u","user":null}"#,
    ])
    func `lines in other layouts have the same head`(text: String) throws {
        for scope in [EventLineScanner.Scope.head, .wholeLine] {
            #expect(try ScannedLine.of(text, scope).get() == ScannedLine(time: 5, name: "ab"))
        }
    }

    @Test(arguments: [
        // The fast path must not overlook keys behind props or behind an object, nor keys in the writers' layout.
        (#"{"v":1,"t_ms":5,"name":"ab","props":{},"user":"u"}"#, "u", "{}"),
        (#"{"v":1,"t_ms":5,"name":"ab","props":{},"user":"u","x":{}}"#, "u", "{}"),
        (#"{"v":1,"t_ms":5,"name":"ab","props":{"a":{"b":1}},"user":"u","x":{"y":{}}}"#, "u", #"{"a":{"b":1}}"#),
        (#"{"v":1,"t_ms":5,"name":"ab","props":{"a":"}"},"user":"u","x":{}}"#, "u", #"{"a":"}"}"#),
        (#"{"v":1,"t_ms":5,"name":"ab","props":{"a":"\"}"},"user":"u","x":{}}"#, "u", #"{"a":"\"}"}"#),
        (#"{"v":1,"t_ms":5,"name":"ab","user":"w","user":"u","props":{}}"#, "u", "{}"),
        (#"{"v":1,"t_ms":5,"name":"ab","user":"w","props":{"b":1},"props":{"a":1},"user":"u"}"#, "u", #"{"a":1}"#),
    ])
    func `a key counts wherever it stands, and the last of equal keys counts`(text: String, user: String, properties: String) throws {
        let line = try ScannedLine.of(text).get()
        #expect(line.user == user)
        #expect(line.properties == properties)
    }

    @Test(arguments: [
        ("", BadLine.Reason.empty), ("  \t\r", .empty), ("x", .malformed(.object)), ("[]", .malformed(.object)),
        ("null", .malformed(.object)),
        ("{}", .missing(.time)), (#"{"t_ms":5}"#, .missing(.name)), (#"{"name":"a"}"#, .missing(.time)),
        (#"{"t_ms":"5","name":"a"}"#, .wrongValue(.time, .wholeMilliseconds)),
        (#"{"t_ms":1.5,"name":"a"}"#, .wrongValue(.time, .wholeMilliseconds)),
        (#"{"t_ms":null,"name":"a"}"#, .wrongValue(.time, .wholeMilliseconds)),
        (#"{"t_ms":true,"name":"a"}"#, .wrongValue(.time, .wholeMilliseconds)),
        (#"{"t_ms":9007199254740993,"name":"a"}"#, .wrongValue(.time, .wholeMilliseconds)),
        (#"{"t_ms":-9007199254740993,"name":"a"}"#, .wrongValue(.time, .wholeMilliseconds)),
        (#"{"t_ms":1e400,"name":"a"}"#, .wrongValue(.time, .wholeMilliseconds)),
        (#"{"t_ms":99999999999999999999,"name":"a"}"#, .wrongValue(.time, .wholeMilliseconds)),
        (#"{"t_ms":5,"name":""}"#, .wrongValue(.name, .nonEmptyText)), (#"{"t_ms":5,"name":7}"#, .wrongValue(.name, .nonEmptyText)),
        (#"{"t_ms":5,"name":null}"#, .wrongValue(.name, .nonEmptyText)),
        (#"{"t_ms":5,"name":"a","name":["a"]}"#, .wrongValue(.name, .nonEmptyText)),
        (#"{"t_ms":5,"name":"a","user":7}"#, .wrongValue(.user, .text)),
        (#"{"t_ms":5,"name":"a","session":[]}"#, .wrongValue(.session, .text)),
        (#"{"t_ms":5,"name":"a","id":{}}"#, .wrongValue(.id, .text)),
        (#"{"t_ms":5,"name":"a","system":false}"#, .wrongValue(.system, .text)),
        (#"{"t_ms":5,"name":"a","seq":0}"#, .wrongValue(.sequence, .positiveInteger)),
        (#"{"t_ms":5,"name":"a","seq":-1}"#, .wrongValue(.sequence, .positiveInteger)),
        (#"{"t_ms":5,"name":"a","seq":1.5}"#, .wrongValue(.sequence, .positiveInteger)),
        (#"{"t_ms":5,"name":"a","seq":"1"}"#, .wrongValue(.sequence, .positiveInteger)),
        (#"{"t_ms":5,"name":"a","seq":9007199254740993}"#, .wrongValue(.sequence, .positiveInteger)),
        (#"{"t_ms":5,"name":"a","type":"page"}"#, .wrongValue(.type, .lineType)),
        (#"{"t_ms":5,"name":"a","type":1}"#, .wrongValue(.type, .lineType)),
        (#"{"t_ms":5,"name":"a","props":[]}"#, .wrongValue(.properties, .object)),
        (#"{"t_ms":5,"name":"a","props":"{}"}"#, .wrongValue(.properties, .object)),
        (#"{"v":2,"t_ms":5,"name":"a"}"#, .newerVersion(2)), (#"{"v":"1","t_ms":5,"name":"a"}"#, .wrongValue(.version, .wholeNumber)),
        (#"{"v":1.5,"t_ms":5,"name":"a"}"#, .wrongValue(.version, .wholeNumber)), (#"{"v":2,"t_ms":"x"}"#, .newerVersion(2)),
        (#"{"t_ms":5,"name":"a""#, .malformed(.commaOrBrace)), (#"{"t_ms":5,"name":"a"}}"#, .malformed(.endOfLine)),
        (#"{"t_ms":5,"name":"a"},"#, .malformed(.endOfLine)),
        (#"{"t_ms":5,"name":"a",}"#, .malformed(.key)), (#"{"t_ms":5,,"name":"a"}"#, .malformed(.key)),
        (#"{"t_ms" 5,"name":"a"}"#, .malformed(.colon)),
        (#"{t_ms:5,"name":"a"}"#, .malformed(.key)), (#"{'t_ms':5,"name":"a"}"#, .malformed(.key)),
        (#"{"t_ms":05,"name":"a"}"#, .malformed(.commaOrBrace)),
        (#"{"t_ms":+5,"name":"a"}"#, .malformed(.value)), (#"{"t_ms":5.,"name":"a"}"#, .malformed(.number)),
        (#"{"t_ms":.5,"name":"a"}"#, .malformed(.value)),
        (#"{"t_ms":5e,"name":"a"}"#, .malformed(.number)), (#"{"t_ms":-,"name":"a"}"#, .malformed(.number)),
        (#"{"t_ms":NaN,"name":"a"}"#, .malformed(.value)),
        (#"{"t_ms":5,"name":"a","x":tru}"#, .malformed(.value)), (#"{"t_ms":5,"name":"a","x":truer}"#, .malformed(.commaOrBrace)),
        (#"{"t_ms":5,"name":"a","x":}"#, .malformed(.value)),
        (#"{"t_ms":5,"name":"a","x":[1,]}"#, .malformed(.value)), (#"{"t_ms":5,"name":"a","x":[1 2]}"#, .malformed(.commaOrBracket)),
        (#"{"t_ms":5,"name":"a","x":[}"#, .malformed(.value)),
        (#"{"t_ms":5,"name":"a","x":[{]}"#, .malformed(.key)), (#"{"t_ms":5,"name":"a","x":{"y":1]}"#, .malformed(.commaOrBrace)),
        (#"{"t_ms":5,"name":"a","x":[[],[}"#, .malformed(.value)),
        (#"{"t_ms":5,"name":"a\x"}"#, .malformed(.escape)), (#"{"t_ms":5,"name":"a\u12G4"}"#, .malformed(.escape)),
        (#"{"t_ms":5,"name":"a\u12"#, .malformed(.escape)),
        (#"{"t_ms":5,"name":"a\"#, .malformed(.escape)), (#"{"t_ms":5,"name":"a\"}"#, .malformed(.closingQuote)),
        ("{\"t_ms\":5,\"name\":\"a\tb\"}", .malformed(.escapedControl)),
        ("{\"t_ms\":5,\"name\":\"a\u{0}b\"}", .malformed(.escapedControl)), ("\u{FEFF}{\"t_ms\":5,\"name\":\"a\"}", .malformed(.object)),
        (#"// {"t_ms":5,"name":"a"}"#, .malformed(.object)), (#"{"t_ms":5,"name":"a"} // x"#, .malformed(.endOfLine)),
        (#"{"v":1,"t_ms":5,"name":"ab","props":{"a":1}"#, .malformed(.commaOrBrace)),
        (#"{"v":1,"t_ms":5,"name":"ab","props":"#, .malformed(.value)),
        (#"{"v":1,"t_ms":5,"name":"ab","props":{}"#, .malformed(.commaOrBrace)),
        (#"{"v":1,"t_ms":5,"name":"ab","props":{"#, .malformed(.key)),
    ])
    func `a bad line is bad in both scopes, with the same reason`(text: String, reason: BadLine.Reason) {
        for scope in [EventLineScanner.Scope.head, .wholeLine] {
            guard case .failure(let bad) = ScannedLine.of(text, scope) else {
                Issue.record("\(text) was taken as good")
                continue
            }
            #expect(bad.reason == reason)
            #expect((0...text.utf8.count).contains(bad.byteOffset))
            #expect(!bad.description.isEmpty)
        }
    }

    @Test func `the contents of props are checked only in scans of whole lines`() throws {
        for properties in [#"{"a":tru}"#, #"{"a"}"#, #"{a:1}"#, #"{"a":1,}"#, "{\"a\":\"\t\"}", #"{"a":01}"#] {
            let text = #"{"v":1,"t_ms":5,"name":"ab","props":"# + properties + "}"
            #expect(try ScannedLine.of(text).get().properties == properties)
            #expect(throws: BadLine.self) { try ScannedLine.of(text, .wholeLine).get() }
        }
    }

    @Test(
        arguments: [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
        ] as [[UInt8]])
    func `broken UTF-8 reads as the replacement character and is bad in a whole line`(broken: [UInt8]) throws {
        let line = Array(#"{"v":1,"t_ms":5,"name":"ab"#.utf8) + broken + Array(#"","props":{}}"#.utf8)
        let name = try ScannedLine.of(line).get().name
        #expect(name.hasPrefix("ab\u{FFFD}"))
        #expect(ScannedLine.of(line, .wholeLine) == .failure(BadLine(.invalidUTF8, at: 26)))
    }

    @Test func `nesting is bounded and costs no stack`() throws {
        func line(_ depth: Int) -> String {
            let open = String(repeating: "[", count: depth), close = String(repeating: "]", count: depth)
            return #"{"t_ms":5,"name":"a","x":\#(open)\#(close)}"#
        }
        #expect(try ScannedLine.of(line(EventLineScanner.depthLimit)).get().time == 5)
        for depth in [EventLineScanner.depthLimit + 1, 1_000_000] {
            #expect(throws: BadLine(.tooDeep, at: 25 + EventLineScanner.depthLimit)) { try ScannedLine.of(line(depth)).get() }
        }
    }

    @Test func `a missing text and an empty one are told apart`() throws {
        try Array(#"{"v":1,"t_ms":5,"name":"a","user":"","props":{}}"#.utf8).withUnsafeBytes { line in
            let event = try EventLineScanner().scan(line)
            #expect(event.user.isEmpty && !event.user.isMissing)
            #expect(event.session.isEmpty && event.session.isMissing)
        }
    }

    @Test func `unescaped bytes come from the line, or from the scratch buffer if there were escapes`() throws {
        let scratch = ByteBuffer(capacity: 4)
        try Array(#"{"t_ms":5,"name":"a\tb","user":"u"}"#.utf8).withUnsafeBytes { line in
            let event = try EventLineScanner().scan(line)
            #expect(Array(event.name.unescaped(in: line, scratch: scratch)) == Array("a\tb".utf8))
            #expect(Array(event.user.unescaped(in: line, scratch: scratch)) == Array("u".utf8))
        }
    }
}
