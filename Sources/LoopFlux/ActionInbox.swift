public import LoopCore
import Synchronization

/// A handle through which any thread dispatches actions.
///
/// Actions of one sender are delivered in the order in which it sent them, also if it dispatches directly in between. The handle does
/// not keep the dispatcher alive.
/// ```swift
/// let inbox = dispatcher.inbox()
/// socket.onMessage { inbox.send(MessageReceived(text: $0)) }
/// ```
public typealias ActionInbox = EventInbox<any Action & Sendable>

extension EventInbox where Event == any Action & Sendable {
    /// Dispatches an action from another isolation, and returns when the dispatcher has delivered it.
    ///
    /// Handlers are synchronous and so cannot call this, which would wait for itself.
    ///
    /// - Returns: `true` if the action was delivered; `false` if the dispatcher is gone and the action was dropped, or if the calling
    ///   task was cancelled first: then the action is still delivered.
    @discardableResult
    public func dispatch(_ action: any Action & Sendable, fileID: StaticString = #fileID, line: UInt = #line) async -> Bool {
        let receipt = Receipt()
        guard send(AwaitedAction(action: action, delivery: AwaitedDelivery(receipt)), fileID: fileID, line: line) else { return false }
        await receipt.sleeper.sleep(isolation: #isolation)
        return receipt.isDelivered
    }
}

/// An action in the inbox whose sender waits for its delivery.
struct AwaitedAction: Action, Sendable {
    let action: any Action & Sendable
    let delivery: AwaitedDelivery
}

/// What the waiting sender holds.
final class Receipt: Sendable {
    let sleeper = Sleeper()
    private let delivered = Atomic(false)

    var isDelivered: Bool { delivered.load(ordering: .acquiring) }
    func confirm() { delivered.store(true, ordering: .releasing) }
}

/// Wakes the sender when the action is delivered or dropped.
final class AwaitedDelivery: Sendable {
    private let receipt: Receipt

    init(_ receipt: Receipt) { self.receipt = receipt }

    deinit { receipt.sleeper.wake() }

    func confirm() {
        receipt.confirm()
        receipt.sleeper.wake()
    }
}
