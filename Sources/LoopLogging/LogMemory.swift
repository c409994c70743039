public import LoopCore

/// The last steps of a system, kept as they are and formatted only when somebody reads them.
///
/// ```swift
/// let memory = LogMemory<AppState, AppEvent>(capacity: 1_000)
/// system.attach(.log(to: memory))
/// …
/// report.attach(memory.lines.joined(separator: "\n"))       // on an error: what led to it
/// ```
/// Taking a step costs a copy of it into memory that is there already, and no allocation. A memory lives on the isolation of its system.
///
/// **The price of states.** A kept step keeps its state. A reducer that changes a large array in place then copies it at the first change
/// of each step, as for ``/LoopCore/MiddlewareNeeds/previousState``. For such states log lines with a short description (``LogValues``).
public final class LogMemory<State, Event> {
    @usableFromInline let format: LogFormat<State, Event>
    private let values: LogValues<State, Event>
    @usableFromInline var ring: ContiguousArray<Step<State, Event>?>
    @usableFromInline var next = 0

    /// Makes an empty memory, with room for all the steps.
    ///
    /// - Parameters:
    ///   - capacity: how many steps are kept, at least 1. A thousand show what led to a fault, at some hundred kilobytes for small states.
    ///   - format: how ``lines`` shows them; the system is asked for what the format needs.
    public init(capacity: Int = 1_000, format: LogFormat<State, Event> = .compact, values: LogValues<State, Event> = LogValues()) {
        precondition(capacity > 0, "A log memory keeps at least one step.")
        self.format = format
        self.values = values
        ring = ContiguousArray(repeating: nil, count: capacity)
    }

    /// Keeps a step, instead of the oldest if the memory is full. ``LoopCore/Middleware/log(to:only:except:every:)`` calls it.
    @inlinable
    package func append(_ step: Step<State, Event>) {
        ring[next] = step
        next += 1
        if next == ring.count { next = 0 }
    }

    /// The kept steps, oldest first.
    public var steps: [Step<State, Event>] { (ring[next...] + ring[..<next]).compactMap { $0 } }

    /// The kept steps as text, oldest first. They are formatted here, each time anew.
    public var lines: [String] {
        let values = values.keepingLayouts()
        return steps.map { format.text(of: LogRecord($0), values: values) }
    }

    /// Forgets all steps, and with them the states they hold.
    public func removeAll() {
        ring = ContiguousArray(repeating: nil, count: ring.count)
        next = 0
    }
}
