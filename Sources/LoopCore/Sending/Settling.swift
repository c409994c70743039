/// A loop with tasks that wait for the end of its work: a ``System``, or LoopFlux's dispatcher.
@usableFromInline
package protocol Settling: AnyObject {
    var isSettled: Bool { get }
    var waiters: Numbered<Sleeper> { get set }
}

extension Settling {
    /// Returns when the loop is settled, or when the waiting task is cancelled.
    package func sleepUntilSettled(isolation: isolated any Actor) async {
        while !isSettled && !Task.isCancelled {
            let sleeper = Sleeper()
            let number = waiters.add(sleeper)
            await sleeper.sleep(isolation: isolation)
            // Only a sleeper that was woken by cancellation is still in the list.
            waiters.remove(number)
        }
    }

    /// Wakes the waiting tasks if the loop is settled now.
    @usableFromInline
    package func wakeWaiters() {
        guard isSettled else { return }
        for waiter in waiters.removeAll() { waiter.wake() }
    }
}
