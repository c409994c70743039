import LoopCore
import Synchronization

/// A handle through which any thread dispatches actions.
///
/// Actions of one sender are told in the order in which it sent them, also where it dispatches directly in between. The handle
/// does not keep the dispatcher alive. Every call of ``Dispatcher/inbox(isolation:)`` returns one to the same inbox.
/// ```swift
/// let inbox = dispatcher.inbox()
/// socket.onMessage { inbox.send(MessageCame(text: $0)) }
/// ```
public struct ActionInbox: Sendable {
    let core: InboxCore<ActionParcel>

    /// Leaves an action in the dispatcher's inbox and returns; it is told soon, on the dispatcher's isolation. In Mini:
    /// `dispatch(action, mode: .async)`.
    ///
    /// - Returns: `false` if the dispatcher is gone, and the action was dropped.
    @discardableResult
    public func send(_ action: any Action & Sendable, fileID: StaticString = #fileID, line: UInt = #line) -> Bool {
        core.send(ActionParcel(action: action, delivery: nil), origin: SendOrigin(fileID: fileID, line: line))
    }

    /// The same, and returns when handlers and services have seen the action. In Mini: `dispatch(action, mode: .sync)` from
    /// another thread.
    ///
    /// A handler that waited for this would wait for itself, so handlers, which are synchronous, cannot call it.
    ///
    /// - Returns: `true` once it was told; `false` if the dispatcher is gone and the action was dropped, or if the calling task was
    ///   cancelled before: then it is told still.
    @discardableResult
    public func dispatch(_ action: any Action & Sendable, fileID: StaticString = #fileID, line: UInt = #line) async -> Bool {
        let receipt = Receipt()
        guard core.send(ActionParcel(action: action, delivery: Delivery(receipt)), origin: SendOrigin(fileID: fileID, line: line))
        else { return false }
        await receipt.sleeper.sleep(isolation: #isolation)
        return receipt.isTold
    }
}

/// An action in the inbox.
struct ActionParcel: Sendable {
    let action: any Action & Sendable
    /// Who waits for it, if anybody.
    let delivery: Delivery?
}

/// What the one who waits for an action holds.
final class Receipt: Sendable {
    let sleeper = Sleeper()
    private let told = Atomic(false)

    var isTold: Bool { told.load(ordering: .acquiring) }
    func set() { told.store(true, ordering: .releasing) }
}

/// Travels with an action. Whether it arrives or is dropped, who waits is woken when it goes.
final class Delivery: Sendable {
    private let receipt: Receipt

    init(_ receipt: Receipt) { self.receipt = receipt }

    deinit { receipt.sleeper.wake() }

    func confirm() {
        receipt.set()
        receipt.sleeper.wake()
    }
}
