public import LoopCore
import Synchronization

/// A handle through which any thread dispatches actions.
///
/// Actions of one sender are delivered in the order in which it sent them, whatever it dispatches directly. It keeps no dispatcher alive.
/// ```swift
/// let inbox = dispatcher.inbox()
/// socket.onMessage { inbox.send(MessageReceived(text: $0)) }
/// ```
public typealias ActionInbox = EventInbox<any Action & Sendable>

extension EventInbox where Event == any Action & Sendable {
    /// Dispatches an action from another isolation, and returns when the dispatcher has delivered it.
    ///
    /// Handlers are synchronous and so cannot call this: a handler would wait for itself.
    ///
    /// - Returns: `true` if the action was delivered or a ``DispatchMiddleware`` swallowed it; `false` if the dispatcher was stopped or
    ///   gone and dropped it, or if the calling task was cancelled first: then the action is still delivered.
    @discardableResult
    public func dispatch(_ action: any Action & Sendable, fileID: StaticString = #fileID, line: UInt = #line) async -> Bool {
        let receipt = Receipt()
        guard send(AwaitedAction(action, receipt), fileID: fileID, line: line) else { return false }
        await receipt.sleeper.sleep(isolation: #isolation)
        return receipt.isDelivered
    }
}

/// An action in the inbox whose sender waits. If the action is dropped, its release wakes the sender.
final class AwaitedAction: Action, Sendable {
    let action: any Action & Sendable
    let receipt: Receipt

    init(_ action: any Action & Sendable, _ receipt: Receipt) { (self.action, self.receipt) = (action, receipt) }

    deinit { receipt.sleeper.wake() }
}

/// Tells the waiting sender whether its action was delivered.
final class Receipt: Sendable {
    let sleeper = Sleeper()
    private let delivered = Atomic(false)

    var isDelivered: Bool { delivered.load(ordering: .acquiring) }
    func confirm() {
        delivered.store(true, ordering: .releasing)
        sleeper.wake()
    }
}
