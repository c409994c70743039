import EventFiles
import TrackingEvents

/// What a line that begins a session says, or several lines of one millisecond together.
struct SessionRow<Values: Sendable>: Sendable {
    var time: Int64
    /// Whether it says only the sampling rate.
    var isRepetition: Bool
    var values: Values

    /// The rows of a session's lines, by time. Lines of one millisecond are one row, with the text that sorts last at each path: neither
    /// the order of the data nor the other paths asked for may decide which line counts. What a repetition does not say, the row
    /// before it says. Where a clock was set back, repetitions may come before all other rows: then the first of those says it.
    ///
    /// - Parameters:
    ///   - joined: what two lines of one millisecond say together.
    ///   - filled: what a repetition says, with what another row says at all other paths.
    static func ordered(
        _ lines: [Self], joined: (Values, Values) -> Values, filled: (_ own: Values, _ other: Values) -> Values
    ) -> [Self] {
        var (rows, rest) = ([Self](), lines.sorted { $0.time < $1.time }[...])
        while var row = rest.popFirst() {
            while let other = rest.first, other.time == row.time {
                row.values = joined(row.values, other.values)
                row.isRepetition = row.isRepetition && other.isRepetition
                rest.removeFirst()
            }
            if row.isRepetition, let before = rows.last { row.values = filled(row.values, before.values) }
            rows.append(row)
        }
        if let first = rows.firstIndex(where: { !$0.isRepetition }) {
            for index in 0..<first { rows[index].values = filled(rows[index].values, rows[first].values) }
        }
        return rows
    }
}

extension Array {
    /// Of a session's rows the one that counts at a time: the latest that is not after it, or else the first.
    func row<Values: Sendable>(at time: Int64) -> Element? where Element == SessionRow<Values> {
        isEmpty ? nil : self[Swift.max(partitionPoint { $0.time > time } - 1, 0)]
    }
}

/// One line that says how a session began: what a funnel wants to know of it.
struct SessionLine: Sendable {
    static let name = Array(MetaEventName.sessionStarted.utf8)
    /// Where a line says that it only repeats a session's sampling rate. The writer begins files with such lines; they lack the context.
    static let repetition = PropertyReader(path: [MetaEventName.repeated])
    private static let rate = PropertyReader(path: [MetaEventName.sampleRate])

    let session: Fingerprint
    /// Its values are the text at each wanted path; `nil` where there is none.
    let row: SessionRow<[[UInt8]?]>

    static func isOne(_ line: EventHead) -> Bool { line.kind == .meta && !line.session.isEmpty && line.name.elementsEqual(name) }

    static func repeats(_ line: EventHead) -> Bool { line.properties.withText(at: repetition) { $0?.elementsEqual("true".utf8) ?? false } }

    /// The share of the sessions that was tracked when such a line was written; 1 where it does not say.
    static func sampleRate(_ line: EventHead) -> Double { line.properties.withText(at: rate) { $0.flatMap(NumberText.init)?.double ?? 1 } }

    /// What a line that begins a session says; `nil` for any other line.
    init?(_ line: EventHead, _ paths: [PropertyReader]) {
        guard Self.isOne(line) else { return nil }
        session = Fingerprint.of(line.session)
        let values = paths.map { line.properties.withText(at: $0) { text in text.map { Array($0) } } }
        row = SessionRow(time: line.time, isRepetition: Self.repeats(line), values: values)
    }
}

/// How each session began, whatever user is on its lines. Of several lines one counts at a time: see `Array.row(at:)`.
struct SessionContexts {
    private typealias Row = SessionRow<[[UInt8]?]>

    private var lines: [Fingerprint: [Row]] = [:]

    mutating func add(_ line: SessionLine) { lines[line.session, default: []].append(line.row) }

    /// Adds a line in the order of time, for callers that ask before all lines are there, in O(lines of the session).
    mutating func insert(_ line: SessionLine) { lines[line.session] = Self.ordered(lines[line.session, default: []] + [line.row]) }

    /// Puts the lines in order; to be called once all are there.
    mutating func sort() { for (session, all) in lines where all.count > 1 { lines[session] = Self.ordered(all) } }

    private static func ordered(_ lines: [Row]) -> [Row] {
        Row.ordered(
            lines, joined: { zip($0, $1).map { ($0 ?? []).lexicographicallyPrecedes($1 ?? []) ? $1 : $0 ?? $1 } },
            filled: { zip($0, $1).map { $0 ?? $1 } })
    }

    /// The text at a path as it was at a time; `nil` where there is none.
    func value(_ path: Int, of session: Fingerprint, at time: Int64) -> [UInt8]? { lines[session]?.row(at: time)?.values[path] }

    /// The fingerprint of that text, where it is a key: an empty text is none.
    func key(_ path: Int, of session: Fingerprint, at time: Int64) -> Fingerprint {
        value(path, of: session, at: time)?.withUnsafeBytes { $0.fingerprint } ?? .none
    }

    /// The time of the line that counts at `time`; `nil` where there is none.
    func line(of session: Fingerprint, at time: Int64) -> Int64? { lines[session]?.row(at: time)?.time }

    /// The sessions of which a line has one of these texts at a path.
    func sessions(with texts: Set<Fingerprint>, at path: Int) -> Set<Fingerprint> {
        Set(lines.filter { $0.value.contains { $0.values[path].map { texts.contains($0.withUnsafeBytes { .of($0) }) } ?? false } }.keys)
    }

    /// All texts at a path.
    func values(_ path: Int) -> [[UInt8]] { lines.values.flatMap { $0.compactMap { $0.values[path] } } }
}
