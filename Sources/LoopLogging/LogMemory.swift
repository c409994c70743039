public import LoopCore

/// The last steps of a system, kept as they are and made text only when somebody reads them.
///
/// ```swift
/// let memory = LogMemory<AppState, AppEvent>(capacity: 1_000)
/// system.attach(.log(to: memory))
/// …
/// report.attach(memory.lines.joined(separator: "\n"))       // after a crash of the day: what led to it
/// ```
/// Taking a step costs a copy of it into a place that is there already, and no allocation. It lives where the system lives.
///
/// **The price of states.** A kept step keeps its state. A reducer that changes a large array in place then copies it at the
/// first change of each step, as it would for ``/LoopCore/MiddlewareNeeds/previousState``. For such states log lines instead, with a
/// short description (``LogValues``).
public final class LogMemory<State, Event> {
    /// A thousand steps: what led to a fault, at some hundred kilobytes for small states.
    public static var capacity: Int { 1_000 }

    /// How many steps are kept.
    public let capacity: Int

    @usableFromInline let format: LogFormat<State, Event>
    private let values: LogValues<State, Event>
    @usableFromInline var ring: ContiguousArray<Step<State, Event>?>
    /// Where the next step goes.
    @usableFromInline var next = 0
    @usableFromInline var total = 0

    /// How many steps it has taken since the beginning, with those that had to make room.
    public var taken: Int { total }

    /// A memory of nothing yet. All the places for steps are made here.
    ///
    /// - Parameters:
    ///   - capacity: how many steps are kept, at least 1.
    ///   - format: how ``lines`` tells them; what it needs is what the log asks its system for.
    ///   - values: how events and states are described.
    public init(
        capacity: Int = LogMemory.capacity, format: LogFormat<State, Event> = .compact, values: LogValues<State, Event> = LogValues()
    ) {
        precondition(capacity > 0, "A log memory keeps at least one step.")
        self.capacity = capacity
        self.format = format
        self.values = values
        ring = ContiguousArray(repeating: nil, count: capacity)
    }

    /// Keeps a step, in place of the oldest if all places are taken. ``LoopCore/Middleware/log(to:only:except:every:)`` calls it.
    @inlinable
    public func append(_ step: Step<State, Event>) {
        ring[next] = step
        next += 1
        if next == capacity { next = 0 }
        total += 1
    }

    /// How many steps are kept now.
    public var count: Int { Swift.min(taken, capacity) }

    /// The kept steps, oldest first.
    public var steps: [Step<State, Event>] {
        (ring[next...] + ring[..<next]).compactMap { $0 }
    }

    /// The kept steps as text, oldest first. Here is where they are formatted, each time anew.
    public var lines: [String] { lines(in: format) }

    /// The same in another format. What it needs and this memory's own format does not may be missing in the steps.
    public func lines(in format: LogFormat<State, Event>) -> [String] { steps.map { format.text(of: $0, values: values) } }

    /// Forgets all steps, and with them the states they hold.
    public func removeAll() {
        for place in ring.indices { ring[place] = nil }
        next = 0
        total = 0
    }
}
