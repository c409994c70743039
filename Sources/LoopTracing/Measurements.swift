import Basics
import LoopCore
public import TrackingEvents

/// Collects the times of events, by name and phase: see ``LoopTracing``.
///
/// Several systems may share one, on any threads. Each event costs one uncontended lock and four to six histogram entries. The number of
/// names bounds the memory (``init(maxNames:clock:)``), not the number of events.
public final class Measurements: Sendable {
    /// The name for all events beyond the limit of names.
    package static let otherEvents = "(other)"
    /// The name for the effects that feedbacks start at the initial state.
    package static let initialState = "(initial)"

    private struct Contents {
        var rows: [EventMeasurements] = []
        var rowsByName: [Name: Int] = [:]
        /// How many names have a row, ``Measurements/otherEvents`` not counted.
        var names = 0
        /// When the rows began to count, in milliseconds since 1970.
        var start: Int64
        var resets = 0
    }

    /// To readers of metrics a missing system name and an empty one are the same.
    private struct Name: Hashable {
        let system: String?
        let event: String

        init(_ event: String, of system: String?) { (self.system, self.event) = (system == "" ? nil : system, event) }
    }

    private let contents: Lock<Contents>
    private let maxNames: Int
    private let clock: WallClock

    /// - Parameters:
    ///   - maxNames: how many names are distinguished. The default is more than an app has and takes at most 55 MB. Later names count as
    ///     `(other)` of their system; once `maxNames` systems have it, the rest share one. Effects of the initial state are `(initial)`.
    ///   - clock: tells when the counts begin, for ``OTLPMetrics``.
    public init(maxNames: Int = 256, clock: WallClock = .system) {
        (self.maxNames, self.clock) = (maxNames, clock)
        contents = Lock(Contents(start: clock.milliseconds))
    }

    /// All measurements so far, in the order in which the names first came. They are copied on write: the next event of each name pays.
    public var events: [EventMeasurements] { snapshot.events }

    /// The measurements so far, when they begin in milliseconds since 1970, and how often others before them were forgotten.
    var snapshot: (events: [EventMeasurements], start: Int64, resets: Int) {
        contents.withLock { ($0.rows.filter { !$0.isEmpty }, $0.start, $0.resets) }
    }

    /// The measurements of one name of event; `nil` if there are none.
    ///
    /// - Parameters:
    ///   - event: the event's name: that of its enum case or type, or its own as a `NamedEvent`.
    ///   - system: the name given to the `System`.
    public func event(_ event: String, system: String? = nil) -> EventMeasurements? {
        let measured = contents.withLock { contents in contents.rowsByName[Name(event, of: system)].map { contents.rows[$0] } }
        return measured.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Forgets all measurements: the counts begin anew. Systems stay attached.
    public func reset() {
        contents.withLock { contents in
            contents.start = clock.milliseconds
            contents.resets += 1
            // The rows keep their indices, because attached systems remember these.
            contents.rows = contents.rows.map { EventMeasurements(system: $0.system, event: $0.event) }
        }
    }

    /// The index of a name's row. It never changes.
    func row(for event: String, system: String?) -> Int {
        contents.withLock { contents in
            var name = Name(event, of: system)
            if let row = contents.rowsByName[name] { return row }
            if contents.names < maxNames {
                contents.names += 1
            } else {
                name = Name(Measurements.otherEvents, of: system)
                // The names of systems may be as many as ids, too.
                let isFull = contents.rows.count - contents.names >= maxNames
                if isFull, contents.rowsByName[name] == nil { name = Name(Measurements.otherEvents, of: nil) }
                if let row = contents.rowsByName[name] { return row }
            }
            contents.rows.append(EventMeasurements(system: name.system, event: name.event))
            contents.rowsByName[name] = contents.rows.count - 1
            return contents.rows.count - 1
        }
    }

    func record(_ timing: StepTiming, _ outcome: Outcome, row: Int) { contents.withLock { $0.rows[row].record(timing, outcome) } }

    func record(feedback nanoseconds: UInt64, row: Int) { contents.withLock { $0.rows[row].record(feedback: nanoseconds) } }
}
