import EventFiles
import TrackingEvents

/// One line that says how a session began: what a funnel wants to know of it.
struct SessionLine: Sendable {
    static let name = Array(MetaEventName.sessionStarted.utf8)
    /// Where a line says that it only repeats a session's sampling rate. The writer begins files with such lines; they lack the context.
    static let repetition = PropertyReader(path: [MetaEventName.repeated])

    var session: Fingerprint
    var time: Int64
    /// Whether it says only the sampling rate.
    let isRepetition: Bool
    /// The text at each wanted path; `nil` where there is none.
    var values: [[UInt8]?]

    static func isOne(_ line: EventHead) -> Bool { line.kind == .meta && !line.session.isEmpty && line.name.elementsEqual(name) }

    static func repeats(_ line: EventHead) -> Bool { line.properties.withText(at: repetition) { $0?.elementsEqual("true".utf8) ?? false } }

    /// What a line that begins a session says; `nil` for any other line.
    init?(_ line: EventHead, _ paths: [PropertyReader]) {
        guard Self.isOne(line) else { return nil }
        session = Fingerprint.of(line.session)
        (time, isRepetition) = (line.time, Self.repeats(line))
        values = paths.map { line.properties.withText(at: $0) { text in text.flatMap { $0.isEmpty ? nil : Array($0) } } }
    }
}

/// How each session began. If a session has several lines, the latest that is not after an event counts for it, or else the first. The user
/// on the line does not matter. What a repetition does not say stays as it was.
/// Lines of one millisecond count as one line, with the text that sorts last at each path: the order of the data and the other paths asked
/// for must not decide which of them counts.
struct SessionContexts {
    private var lines: [Fingerprint: [SessionLine]] = [:]

    mutating func add(_ line: SessionLine) { lines[line.session, default: []].append(line) }

    /// Adds a line in the order of time, for callers that ask before all lines are there, in O(lines of the session).
    mutating func insert(_ line: SessionLine) { lines[line.session] = Self.ordered(lines[line.session, default: []] + [line]) }

    /// Puts the lines in order; to be called once all are there.
    mutating func sort() { for (session, all) in lines where all.count > 1 { lines[session] = Self.ordered(all) } }

    /// Lines of a session by time, those of one millisecond as one.
    private static func ordered(_ lines: [SessionLine]) -> [SessionLine] {
        var ordered: [SessionLine] = []
        for var line in lines.sorted(by: { ($0.time, $0.isRepetition ? 1 : 0) < ($1.time, $1.isRepetition ? 1 : 0) }) {
            if line.isRepetition, let before = ordered.last { line.values = zip(line.values, before.values).map { $0 ?? $1 } }
            guard let last = ordered.last, last.time == line.time else {
                ordered.append(line)
                continue
            }
            for (path, value) in line.values.enumerated() where (last.values[path] ?? []).lexicographicallyPrecedes(value ?? []) {
                ordered[ordered.count - 1].values[path] = value
            }
        }
        return ordered
    }

    /// The text at a path as it was at a time; `nil` where there is none.
    func value(_ path: Int, of session: Fingerprint, at time: Int64) -> [UInt8]? { found(session, at: time)?.values[path] }

    /// The time of the line that counts at `time`; `nil` where there is none.
    func line(of session: Fingerprint, at time: Int64) -> Int64? { found(session, at: time)?.time }

    private func found(_ session: Fingerprint, at time: Int64) -> SessionLine? {
        guard let lines = lines[session] else { return nil }
        return lines.last { $0.time <= time } ?? lines.first
    }

    /// The sessions of which a line has one of these texts at a path.
    func sessions(with texts: Set<Fingerprint>, at path: Int) -> Set<Fingerprint> {
        Set(lines.filter { $0.value.contains { $0.values[path].map { texts.contains($0.withUnsafeBytes { .of($0) }) } ?? false } }.keys)
    }

    /// All texts at a path.
    func values(_ path: Int) -> [[UInt8]] { lines.values.flatMap { $0.compactMap { $0.values[path] } } }
}
