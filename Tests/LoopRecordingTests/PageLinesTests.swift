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

    @Test(arguments: [(nil, true), (1, true), (3, false)] as [(Int?, Bool)])
    func `a page has the text of the first state only where it begins with that state`(first: Int?, hasText: Bool) throws {
        let head = Self.head.replacing(#""states":"json""#, with: #""states":"text""#).replacing(#""state":0"#, with: #""state":"none""#)
        let steps = (1...4).map { "{\"n\":\($0),\"t_ms\":2,\"name\":\"event\",\"event\":1}" }
        let lines = try session([head] + steps).pageLines(from: first, to: nil, problems: [])
        let state = try #require(lines.first.flatMap(RecordedValue.parse))["state"]?.text
        #expect(state == (hasText ? "none" : nil))
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
        #expect(throws: InspectError.self) { try session.pageLines(from: nil, to: nil, problems: [], limit: bytes - 1) }
    }
}
