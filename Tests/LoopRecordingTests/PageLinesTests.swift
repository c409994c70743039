import Inspect
import LoopRecording
import Testing

/// Which lines of a recording a page of some of its steps holds.
@Suite struct PageLinesTests {
    private static let head = #"{"recording":2,"id":"aaaa","t_ms":1,"after":0,"states":"json","events":"json","hidden":[],"state":0}"#

    private static func step(_ number: Int) -> [String] {
        [
            "{\"n\":\(number),\"t_ms\":2,\"name\":\"event\",\"event\":1}",
            "{\"of\":\(number),\"ns\":[1,1,1],\"patch\":[{\"op\":\"replace\",\"path\":\"\",\"value\":\(number)}]}",
        ]
    }

    private func session(_ lines: [String]) throws -> RecordedSteps {
        try #require(Recording(lines.joined(separator: "\n")).sessions().last)
    }

    /// Six steps. Each begins an effect of its number, and so does the initial state; each effect ends behind the last step.
    private func sessionWithEffects() throws -> RecordedSteps {
        var lines = [Self.head, #"{"effect":100,"by":0,"t_ms":2}"#, #"{"tracked":"opened"}"#]
        for number in 1...6 {
            lines += Self.step(number)
            lines += ["{\"effect\":10\(number),\"by\":\(number),\"t_ms\":2}", "{\"tracked\":\"t\(number)\",\"by\":\(number)}"]
        }
        return try session(lines + (0...6).map { "{\"effect\":10\($0),\"t_ms\":9,\"ns\":7,\"outcome\":\"finished\"}" })
    }

    @Test func `the head of a page names what is hidden in the states of later lines, too`() throws {
        let steps = Self.step(1).map { $0.replacing(#""ns""#, with: #""hidden":["/a/1"],"ns""#) }
        let session = try session([Self.head.replacing("[]", with: #"["/b"]"#)] + steps)
        let head = try #require(session.pageLines(from: nil, to: nil, problems: []).first)
        #expect(head.contains(#""hidden":["/a/1","/b"]"#))
    }

    @Test(
        arguments: [
            (nil, nil, Array(1...6), Array(0...6)), (1, nil, Array(1...6), Array(0...6)), (3, nil, Array(3...6), Array(2...6)),
            (3, 4, [3, 4], [2, 3, 4]), (nil, 2, [1, 2], [0, 1, 2]), (6, 9, [6], [5, 6]),
        ] as [(Int?, Int?, [Int], [Int])])
    func `a page has the effects of its steps and of the state before them, each with its end, and no others`(
        first: Int?, last: Int?, steps: [Int], causes: [Int]
    ) throws {
        let lines = try sessionWithEffects().pageLines(from: first, to: last, problems: []).compactMap(RecordedValue.parse)
        #expect(lines.compactMap { $0["n"]?.integer } == steps)
        let effects = lines.filter { $0["effect"] != nil }
        #expect(effects.filter { $0["outcome"] == nil }.compactMap { $0["by"]?.integer } == causes)
        #expect(effects.filter { $0["outcome"] != nil }.compactMap { $0["effect"]?.integer } == causes.map { 100 + $0 })
        let tracked = lines.compactMap { $0["tracked"]?.text }
        #expect(tracked == ["opened"] + causes.filter { $0 > 0 }.map { "t\($0)" }, "a tracked event without a step is on every page")
    }

    @Test(arguments: [(9, nil, "9 on"), (4, 2, "4 to 2"), (nil, 0, "0 to 0")] as [(Int?, Int?, String)])
    func `a range without a step is an error that says which steps there are`(first: Int?, last: Int?, range: String) throws {
        let error = InspectError.noSteps(from: first ?? 0, to: last ?? .max, found: 1...6)
        #expect(throws: error) { try sessionWithEffects().pageLines(from: first, to: last, problems: []) }
        #expect(error.description == "no step from \(range); the session has steps 1 to 6")
    }

    @Test func `a line that comes again from a ring is read once`() throws {
        let effect = [#"{"effect":1,"by":1,"t_ms":2}"#, #"{"effect":1,"t_ms":9,"ns":7,"outcome":"finished"}"#]
        let notes = effect + [#"{"tracked":"seen","by":1,"session":"s","seq":1}"#]
        let session = try session([Self.head] + Self.step(1) + notes + Self.step(1) + notes)
        #expect(session.steps.count == 1 && session.others.count == notes.count)
    }

    @Test func `events that were tracked without a session are all read, even if they are alike`() throws {
        let tracked = #"{"tracked":"seen","by":1,"props":{"sku":"a"}}"#
        #expect(try session([Self.head] + Self.step(1) + [tracked, tracked]).others.count == 2)
    }

    @Test(arguments: [(nil, true), (1, true), (3, false)] as [(Int?, Bool)])
    func `a page has the text of the first state only where it begins with that state`(first: Int?, hasText: Bool) throws {
        let head = Self.head.replacing(#""states":"json""#, with: #""states":"text""#).replacing(#""state":0"#, with: #""state":"none""#)
        let steps = (1...4).map { "{\"n\":\($0),\"t_ms\":2,\"name\":\"event\",\"event\":1}" }
        let lines = try session([head] + steps).pageLines(from: first, to: nil, problems: [])
        let state = try #require(lines.first.flatMap(RecordedValue.parse))["state"]?.text
        #expect(state == (hasText ? "none" : nil))
    }

    private func states(of session: RecordedSteps) -> [String?] {
        var walk = session.states
        return session.steps.map { walk.take($0) ? walk.state?.json : nil }
    }

    /// The lines of two writers of a session: the first event loads something, and has a head between its loading and its last line.
    enum Part: String {
        case head = #"{"recording":2,"id":"aaaa","t_ms":1,"after":0,"states":"json","events":"json","state":[]}"#
        case event = #"{"n":1,"t_ms":2,"name":"event","event":1}"#
        case loading = #"{"of":1,"ns":[1,1,1],"phase":"loading","patch":[{"op":"add","path":"/-","value":"loading"}]}"#
        case loadingHead = #"{"recording":2,"id":"aaaa","t_ms":3,"after":1,"states":"json","events":"json","state":["loading"]}"#
        case settled = #"{"of":1,"ns":[1],"patch":[{"op":"replace","path":"/0","value":"a"},{"op":"add","path":"/-","value":"b"}]}"#
        case settledHead = #"{"recording":2,"id":"aaaa","t_ms":4,"after":1,"states":"json","events":"json","state":["a","b"]}"#
        case next = #"{"n":2,"t_ms":5,"name":"event","event":2}"#
        case nextSettled = #"{"of":2,"ns":[1,1,1],"patch":[{"op":"add","path":"/-","value":"c"}]}"#
        case otherWriter = ""
    }

    @Test(
        arguments: [
            [.head, .event, .loading, .loadingHead, .settled, .next, .nextSettled],
            // What waited in a ring comes again.
            [.head, .event, .loading, .loadingHead, .settled, .event, .loading, .loadingHead, .settled, .next, .nextSettled],
            // The loading line was lost.
            [.head, .event, .loadingHead, .settled, .next, .nextSettled],
            [.head, .event, .loading, .loadingHead, .settled, .settledHead, .loadingHead, .next, .nextSettled],
            // The files of the two writers come in the other order.
            [.loadingHead, .settled, .next, .nextSettled, .otherWriter, .head, .event, .loading],
            [.settledHead, .next, .nextSettled, .otherWriter, .head, .event, .loading, .settled],
            [.settledHead, .next, .nextSettled, .otherWriter, .head, .event, .loading, .loadingHead, .settled],
            [.settledHead, .next, .nextSettled, .otherWriter, .loadingHead, .settled, .otherWriter, .head, .event, .loading],
        ] as [[Part]])
    func `the state after an event is that of its last line, wherever a head stands, in whatever order the files come`(
        parts: [Part]
    ) throws {
        let session = try session(parts.map(\.rawValue))
        #expect(session.start == 0 && session.steps.map(\.number) == [1, 2] && session.problems == [])
        #expect(states(of: session) == [#"["a","b"]"#, #"["a","b","c"]"#])
        let page = try session.pageLines(from: nil, to: nil, problems: [])
        // The patch on the page leads from the state before the event to the one after it.
        let read = try self.session(page)
        #expect(!page.contains { $0.contains("unknown") } && states(of: read) == states(of: session))
    }

    @Test func `where the first file is gone, a recording begins with the state after the event that its first head names`() throws {
        let session = try session([Part.loadingHead, .settled, .next, .nextSettled].map(\.rawValue))
        #expect(session.start == 1 && states(of: session) == [#"["a","b","c"]"#])
    }

    @Test func `parts that were saved from a page may be named in any order`() throws {
        let step = #"{"n":1,"t_ms":2,"name":"event","event":1,"ns":[1,1,1],"patch":[{"op":"add","path":"/-","value":"a"}]}"#
        let head = Part.loadingHead.rawValue.replacing("loading", with: "a").replacing(#""t_ms":3"#, with: #""t_ms":1"#)
        let session = try session([head, Part.next.rawValue, Part.nextSettled.rawValue, Part.head.rawValue, step])
        #expect(states(of: session) == [#"["a"]"#, #"["a","c"]"#])
    }

    @Test func `a text head behind the loading state of an event leaves the state after the event unknown`() throws {
        let text = Part.loadingHead.rawValue.replacing(#""states":"json""#, with: #""states":"text""#)
        let session = try session([Part.head.rawValue, Part.event.rawValue, Part.loading.rawValue, text])
        #expect(states(of: session) == [nil])
    }

    @Test(arguments: [true, false])
    func `behind a head with a text no state is known, nor to who reads the page's lines`(hasPatch: Bool) throws {
        let text = Self.head.replacing(#""states":"json""#, with: #""states":"text""#).replacing(#""after":0"#, with: #""after":2"#)
        // The line before a head that was due has no patch.
        let second = hasPatch ? Self.step(2) : [Self.step(2)[0], #"{"of":2,"ns":[1,1,1]}"#]
        let third = [Self.step(3)[0], #"{"of":3,"ns":[1,1,1],"changes":[]}"#]
        let session = try session([Self.head] + Self.step(1) + second + [text] + third)
        let known: [String?] = ["1", hasPatch ? "2" : nil, nil]
        #expect(states(of: session) == known)
        let page = try session.pageLines(from: nil, to: nil, problems: [])
        #expect(try states(of: self.session(page)) == known)
    }

    @Test func `on a page that begins with a text, each state that is not known is marked, also behind one that is`() throws {
        let text = Self.head.replacing(#""states":"json""#, with: #""states":"text""#).replacing(#""state":0"#, with: #""state":"none""#)
        let third = [Self.step(3)[0], #"{"of":3,"ns":[1,1,1],"changes":[]}"#]
        let lines = [text] + Self.step(1) + [Self.head.replacing(#""after":0"#, with: #""after":1"#)] + Self.step(2) + third
        // The last event's end is not known, nor is the state before it.
        let page = try session(lines + [Self.step(4)[0]]).pageLines(from: nil, to: nil, problems: []).compactMap(RecordedValue.parse)
        #expect(page.filter { $0["unknown"] != nil }.map { $0["n"]?.integer } == [1, 3, 4])
    }

    @Test(arguments: [(2, "text", nil), (3, nil, 7)] as [(Int, String?, Int?)])
    func `a page whose first state is known does not call it a text, whatever the recording begins with`(
        first: Int, states: String?, state: Int?
    ) throws {
        let text = Self.head.replacing(#""states":"json""#, with: #""states":"text","reason":"a""#)
        let later = Self.head.replacing(#""after":0"#, with: #""after":2"#).replacing(#""state":0"#, with: #""state":7"#)
        let session = try session([text] + Self.step(1) + Self.step(2) + [later] + Self.step(3))
        let head = try #require(session.pageLines(from: first, to: nil, problems: []).first.flatMap(RecordedValue.parse))
        #expect(head["states"]?.text == states && head["reason"]?.text == states.map { _ in "a" } && head["state"]?.integer == state)
    }

    @Test(arguments: [true, false])
    func `an empty list of changes is left out only where it marks a state that could not be encoded`(isMark: Bool) throws {
        let text = Self.head.replacing(#""states":"json""#, with: #""states":"text""#)
        let third = [Self.step(3)[0], #"{"of":3,"ns":[1,1,1],"changes":[]}"#]
        let head = text.replacing(#""after":0"#, with: isMark ? #""after":3"# : #""after":2"#)
        let lines = [Self.head] + Self.step(1) + Self.step(2) + (isMark ? third + [head] : [head] + third)
        let page = try session(lines).pageLines(from: 3, to: nil, problems: []).compactMap(RecordedValue.parse)
        #expect(page.last?["unknown"] == .bool(true) && (page.last?["changes"] == nil) == isMark)
    }

    @Test func `all lines of a page count against the limit, also heads in between and effects at the end`() throws {
        // After the hole at 2, the head after 4 makes the state known again.
        let lines =
            [Self.head] + Self.step(1) + Self.step(3) + Self.step(4) + [Self.head.replacing(#""after":0"#, with: #""after":4"#)]
            + Self.step(5) + [#"{"effect":1,"by":5,"t_ms":2}"#]
        let session = try session(lines)
        let all = try session.pageLines(from: nil, to: nil, problems: [])
        #expect(all.count { $0.contains(#""recording""#) } == 2 && all.count { $0.contains(#""effect""#) } == 1)
        let bytes = all.dropFirst().reduce(0) { $0 + $1.utf8.count }
        #expect(try session.pageLines(from: nil, to: nil, problems: [], limit: bytes) == all)
        let error = InspectError.tooLarge(limit: bytes - 1)
        #expect(throws: error) { try session.pageLines(from: nil, to: nil, problems: [], limit: bytes - 1) }
        let text = "the session has more than the 256 MiB a page holds; show a part of it with --from and --to"
        #expect(InspectError.tooLarge(limit: 256 << 20).description == text)
    }
}
