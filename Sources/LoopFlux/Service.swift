public import LoopCore

/// Is told of each action when the handlers are through with it: for logs, analytics, tests.
///
/// ```swift
/// let service = Service { record in
///     switch record.outcome {
///     case .reduced(let action): log("\(action)")
///     case .swallowed: log("\(record.action) went no further")
///     }
/// }
/// dispatcher.register(service)
/// ```
/// A service sees the action that was in fact told, after all ``DispatchMiddleware``. (Mini hands it the one that was dispatched,
/// even if nobody was told, and runs it on another queue at some later time.) It cannot change anything any more; what it
/// dispatches is told after the current action. Services are called in the order of registering.
public struct Service {
    /// Tells one service from another, for unregistering. Copies of a value are the same service.
    private final class Identity {}

    private let identity = Identity()
    let perform: (DispatchRecord) -> Void

    /// - Parameter perform: called on the dispatcher's isolation, once for each action that was told or swallowed.
    public init(_ perform: @escaping (DispatchRecord) -> Void) { self.perform = perform }

    func isSame(as other: Service) -> Bool { identity === other.identity }
}

/// What a ``Service`` is told of an action.
public struct DispatchRecord {
    /// The place in the order in which the dispatcher took actions: 1, 2, 3 … Where a middleware passed on several actions in
    /// the place of one, all have its number.
    public let number: Int
    /// The action that was dispatched.
    public let action: any Action
    /// What became of it.
    public let outcome: DispatchOutcome
    /// Where in the source it was dispatched.
    public let origin: SendOrigin
}
