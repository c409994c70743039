import Basics
import LoopCore
import TrackingEvents

/// Collects how long events take, by name and phase.
///
/// ```swift
/// let traces = Traces()
/// system.attach(.trace(to: traces))
/// …
/// print(traces.table())
/// ```
/// Several systems may share one, on any threads. Each event costs one uncontended lock and five or six histogram entries;
/// memory is bounded by the number of names (``init(nameLimit:)``), not by the number of events.
public final class Traces: Sendable {
    /// How many names of events are told apart by default: more than an app has, and 27 MB at the very worst.
    public static let nameLimit = 256
    /// The name under which the events beyond the limit are counted together.
    public static let otherEvents = "(other)"
    /// The name under which the effects are measured that feedbacks start at the initial state.
    public static let initialState = "(initial)"

    private struct Contents {
        var rows: [EventTrace] = []
        var rowsByName: [Name: Int] = [:]
        /// Counted by itself, as the rows of ``Traces/otherEvents`` come on top.
        var names = 0
    }

    private struct Name: Hashable {
        let system: String?
        let event: String
    }

    private let contents = Lock(Contents())
    private let nameLimit: Int

    /// A collection of nothing yet.
    ///
    /// - Parameter nameLimit: so many names are told apart; the events of all later ones are counted together as
    ///   ``otherEvents``, one for each system name. Bounds the memory where names hold ids by mistake.
    public init(nameLimit: Int = Traces.nameLimit) { self.nameLimit = nameLimit }

    /// What was measured so far, in the order in which the names first came.
    ///
    /// - Complexity: O(n) in the names. The copy is made lazily: the next event of each name pays for it.
    public var events: [EventTrace] { contents.withLock { $0.rows.filter { !$0.isEmpty } } }

    /// What was measured of one name of event, `nil` if nothing was.
    ///
    /// - Parameters:
    ///   - event: the event's name: that of its enum case or type, or what it says itself as `NamedEvent`.
    ///   - system: the name given to `Middleware.trace(to:name:)`.
    public func event(_ event: String, system: String? = nil) -> EventTrace? {
        contents.withLock { contents in
            contents.rowsByName[Name(system: system, event: event)].map { contents.rows[$0] }
        }
        .flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Forgets all measurements. Systems stay attached.
    public func reset() {
        contents.withLock { contents in
            // The rows stay where they are: attached systems know their places.
            for row in contents.rows.indices {
                contents.rows[row] = EventTrace(system: contents.rows[row].system, event: contents.rows[row].event)
            }
        }
    }

    /// The place for a name's measurements. It stays the same as long as this lives.
    func row(for event: String, system: String?) -> Int {
        contents.withLock { contents in
            if let row = contents.rowsByName[Name(system: system, event: event)] { return row }
            var name = Name(system: system, event: event)
            if contents.names < nameLimit {
                contents.names += 1
            } else {
                name = Name(system: system, event: Traces.otherEvents)
                if let row = contents.rowsByName[name] { return row }
            }
            contents.rows.append(EventTrace(system: system, event: name.event))
            contents.rowsByName[name] = contents.rows.count - 1
            return contents.rows.count - 1
        }
    }

    func record(_ timing: StepTiming, _ ending: EventTrace.Ending, row: Int) {
        contents.withLock { $0.rows[row].record(timing, ending) }
    }

    func record(feedback nanoseconds: UInt64, row: Int) {
        contents.withLock { $0.rows[row].record(feedback: nanoseconds) }
    }
}
