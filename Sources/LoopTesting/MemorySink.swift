import Basics
import LoopCore
import LoopTracking
public import TrackingEvents
public import TrackingPlans

/// A sink that keeps its events in memory, for tests and benchmarks.
///
/// ```swift
/// let sink = MemorySink()
/// let tracker = Tracker(to: sink)
/// tracker.track(.event("pdp_shown"))
/// #expect(sink.names == ["pdp_shown"])
/// ```
/// Any thread may record and read. Events stand in the order in which they were recorded.
public final class MemorySink: TrackingSink {
    private struct Contents {
        var events = EventQueue<StampedEvent>()
        var dropped = 0
        var violations: [PlanChecker.Violation] = []
    }

    private let contents = Lock(Contents())

    private let capacity: Int?
    private let checker: PlanChecker?

    /// - Parameters:
    ///   - capacity: keeps the last `capacity` events and counts the others in ``dropped``; `nil` keeps all.
    ///   - plan: the plan against which ``violations`` and ``expectPlanned(onFailure:fileID:filePath:line:column:)`` check every event.
    public init(capacity: Int? = nil, plan: TrackingPlan? = nil) {
        precondition(capacity.map { $0 > 0 } ?? true, "A bounded sink keeps at least one event; nil is for no bound.")
        self.capacity = capacity
        checker = plan.map(PlanChecker.init)
    }

    public func record(_ event: StampedEvent) {
        let violations = checker?.violations(of: event) ?? []
        contents.withLock { contents in
            if !violations.isEmpty { contents.violations += violations }
            contents.events.append(event)
            guard let capacity, contents.events.count > capacity else { return }
            _ = contents.events.popFirst()
            contents.dropped += 1
        }
    }

    /// All kept events, oldest first, of every kind: the tracker's own notes (``/TrackingEvents/StampedEvent/Kind/meta``) are among them.
    public var all: [StampedEvent] { contents.withLock { $0.events.elements } }

    /// What users did or saw, oldest first: the events of the kind `.track`.
    public var events: [StampedEvent] { all.filter { $0.kind == .track } }

    public var names: [String] { events.map(\.event.name) }

    /// The events of one name, oldest first, of whichever kind.
    public func events(named name: String) -> [StampedEvent] { all.filter { $0.event.name == name } }

    /// How many events were replaced by newer ones.
    public var dropped: Int { contents.withLock { $0.dropped } }

    /// How the recorded events differ from the plan, in their order; empty without a plan.
    public var violations: [PlanChecker.Violation] { contents.withLock { $0.violations } }

    /// Fails if an event that was recorded is not as the plan has it. A deprecated event does not fail.
    ///
    /// ```swift
    /// let sink = MemorySink(plan: plan)
    /// let tracker = Tracker(to: sink)
    /// tracker.track(.event("cart_added", ["sku": "A1"]))
    /// sink.expectPlanned(onFailure: .testing)
    /// ```
    /// - Parameter onFailure: gets one failure with all that was found.
    public func expectPlanned(
        onFailure: FailureRecorder = .stopping, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        let place = TestFailure(fileID: fileID, filePath: filePath, line: line, column: column)
        if checker == nil {
            return onFailure.fail("The sink has no plan to hold its events against: make it with MemorySink(plan:).", at: place)
        }
        let found = violations.filter { $0.kind != .deprecatedEvent }
        if !found.isEmpty { onFailure.fail("Not as the plan has it:\n" + found.map { "- \($0)" }.joined(separator: "\n"), at: place) }
    }

    /// - Returns: how many events it took, and how many of them were replaced by newer ones; both begin again with ``removeAll()``.
    @discardableResult
    public func flush() async throws -> FlushReceipt {
        contents.withLock { contents in
            FlushReceipt(
                recorded: contents.events.count + contents.dropped,
                droppedByReason: contents.dropped == 0 ? [:] : [.overflow: contents.dropped])
        }
    }

    public func erase(completion: @escaping @Sendable ((any Error)?) -> Void) {
        removeAll()
        completion(nil)
    }

    /// Forgets all events and violations, and counts dropped events anew.
    public func removeAll() { contents.withLock { $0 = Contents() } }
}
