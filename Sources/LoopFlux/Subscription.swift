/// One handler's place at a ``Dispatcher``.
///
/// It stays in force until ``dispose()`` is called or the dispatcher goes, whether or not somebody keeps it. It does
/// not keep the dispatcher alive.
public final class Subscription: SubscriptionToken {
    /// Lower is called first.
    public let priority: Int

    let type: ObjectIdentifier
    /// `nil` once disposed of, so that what the handler holds is let go at once.
    private(set) var handle: ((any Action) -> Void)?
    private weak var dispatcher: Dispatcher?

    init(to type: ObjectIdentifier, priority: Int, dispatcher: Dispatcher, handle: @escaping (any Action) -> Void) {
        self.type = type
        self.priority = priority
        self.dispatcher = dispatcher
        self.handle = handle
    }

    public var isDisposed: Bool { handle == nil }

    /// Ends the subscription. The handler is not called again, not even for the action that is being told. A second call does nothing.
    public func dispose() {
        guard handle != nil else { return }
        handle = nil
        dispatcher?.remove(self)
    }
}
