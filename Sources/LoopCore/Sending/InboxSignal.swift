import Synchronization

/// Says whether an inbox holds something, without its lock: a system asks at every `send`.
@usableFromInline
package final class InboxSignal: Sendable {
    private let flag = Atomic(false)

    /// True at least for what this thread put into the inbox itself.
    @usableFromInline package var isRaised: Bool { flag.load(ordering: .relaxed) }

    func set(_ isRaised: Bool) { flag.store(isRaised, ordering: .relaxed) }
}
