/// A loop with tasks that wait for the end of its work: a ``System``, or LoopFlux's dispatcher.
@usableFromInline
package protocol Settling: AnyObject {
    var isSettled: Bool { get }
    var waiters: Numbered<Sleeper> { get set }
}

extension Settling {
    /// Returns when it is settled, or when the waiting task is cancelled.
    package func sleepUntilSettled(isolation: isolated any Actor) async {
        while !isSettled && !Task.isCancelled {
            let sleeper = Sleeper()
            let number = waiters.add(sleeper)
            await sleeper.sleep(isolation: isolation)
            // Still there only if it was cancellation that woke it.
            waiters.remove(number)
        }
    }

    /// Wakes those that wait, if it is settled now.
    @usableFromInline
    package func wakeWaiters() {
        guard isSettled else { return }
        for waiter in waiters.removeAll() { waiter.wake() }
    }
}
