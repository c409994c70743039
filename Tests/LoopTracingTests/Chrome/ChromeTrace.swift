import Foundation
import Testing

/// A file of the Trace Event Format as a viewer reads it.
struct ChromeTrace {
    struct Line {
        let fields: [String: Any]

        subscript(_ key: String) -> String? { fields[key] as? String }
        func number(_ key: String) -> Double? { (fields[key] as? NSNumber)?.doubleValue }
        var args: [String: Any] { fields["args"] as? [String: Any] ?? [:] }
        /// In whole nanoseconds.
        var start: Int { Int(((number("ts") ?? -1) * 1_000).rounded()) }
        var end: Int { start + Int(((number("dur") ?? -1) * 1_000).rounded()) }
        var thread: Int { Int(number("tid") ?? -1) }
    }

    struct NotAnArray: Error {}

    let lines: [Line]

    init(_ text: String) throws {
        let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8))
        guard let array = parsed as? [[String: Any]] else { throw NotAnArray() }
        lines = array.map(Line.init)
    }

    /// The lines of one phase: `X`, `M`, `s`, `f` or `i`.
    func lines(_ phase: String) -> [Line] { lines.filter { $0["ph"] == phase } }

    /// The names of the lanes by their numbers.
    var threads: [Int: String] {
        lines("M").filter { $0["name"] == "thread_name" }.reduce(into: [:]) { $0[$1.thread] = $1.args["name"] as? String }
    }

    func expectNesting(sourceLocation: SourceLocation = #_sourceLocation) {
        for (thread, lines) in Dictionary(grouping: lines("X"), by: \.thread) {
            var open: [Int] = []
            for line in lines.sorted(by: { ($0.start, -$0.end) < ($1.start, -$1.end) }) {
                while let last = open.last, last <= line.start { open.removeLast() }
                if let last = open.last { #expect(line.end <= last, "\(line.fields) in lane \(thread)", sourceLocation: sourceLocation) }
                open.append(line.end)
            }
        }
    }
}
