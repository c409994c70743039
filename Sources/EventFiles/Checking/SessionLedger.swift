/// Sequence numbers that follow each other without a gap, with the time of the first and the last.
struct SequenceRun: Sendable {
    var low: Int64
    var high: Int64
    var lowTime: Int64
    var highTime: Int64
    /// The file of the line with the lowest number.
    var lowFile: Int
}

/// Keeps which sequence numbers of each session were read, in any order and from any file.
///
/// Numbers mostly come in order, and then a session is one growing run. What does not join its session's run waits in a list that
/// is sorted and joined as it grows.
struct SessionLedger {
    private struct Session {
        var name: String
        var run: SequenceRun
    }

    private struct Other {
        var session: Int
        var run: SequenceRun
    }

    /// A gap between two runs of a session.
    struct Gap {
        var session: Int
        var firstMissing: Int64
        var lastMissing: Int64
        var file: Int

        var count: Int64 { lastMissing - firstMissing + 1 }
    }

    private var sessions: [Session] = []
    private var places: [UInt128: Int] = [:]
    private var others: [Other] = []
    /// How many of the others are sorted and joined.
    private var sorted = 0
    /// Steps found where two runs meet, with the file of the later line.
    private(set) var clockSteps: [(file: Int, earlier: Int64, later: Int64)] = []

    var count: Int { sessions.count }
    func name(of session: Int) -> String { sessions[session].name }
    func place(of key: UInt128) -> Int? { places[key] }

    /// Adds a run of the session with this key.
    mutating func add(_ run: SequenceRun, key: UInt128, name: String) {
        guard let place = places[key] else {
            places[key] = sessions.count
            sessions.append(Session(name: name, run: run))
            return
        }
        if run.low == sessions[place].run.high + 1 {
            noteStep(sessions[place].run, run)
            sessions[place].run.high = run.high
            sessions[place].run.highTime = run.highTime
        } else {
            others.append(Other(session: place, run: run))
            if others.count > 2 * sorted + 1 << 16 { fold() }
        }
    }

    /// All gaps, by session and number. Nothing can be added after.
    mutating func finish() -> [Gap] {
        for (place, session) in sessions.enumerated() { others.append(Other(session: place, run: session.run)) }
        fold()
        var gaps: [Gap] = []
        for (earlier, later) in zip(others, others.dropFirst()) where earlier.session == later.session {
            noteStep(earlier.run, later.run)
            gaps.append(
                Gap(session: later.session, firstMissing: earlier.run.high + 1, lastMissing: later.run.low - 1, file: later.run.lowFile))
        }
        return gaps
    }

    private mutating func noteStep(_ earlier: SequenceRun, _ later: SequenceRun) {
        if later.lowTime < earlier.highTime { clockSteps.append((later.lowFile, earlier.highTime, later.lowTime)) }
    }

    /// Sorts the others and joins what touches or overlaps.
    private mutating func fold() {
        others.sort { ($0.session, $0.run.low, $0.run.high) < ($1.session, $1.run.low, $1.run.high) }
        var joined: [Other] = []
        joined.reserveCapacity(others.count)
        for other in others {
            guard let last = joined.last, last.session == other.session, other.run.low <= last.run.high + 1 else {
                joined.append(other)
                continue
            }
            if other.run.low == last.run.high + 1 { noteStep(last.run, other.run) }
            if other.run.high > last.run.high {
                joined[joined.count - 1].run.high = other.run.high
                joined[joined.count - 1].run.highTime = other.run.highTime
            }
        }
        others = joined
        sorted = joined.count
    }
}
