import LoopCore

extension Dispatcher {
    /// Returns when no action waits, the inbox is empty and no work started by `dispatch` runs; at once if that is so now, or if the
    /// dispatcher was stopped. It also returns when the waiting task is cancelled.
    ///
    /// Tests use it in place of sleeping. Work that waits here waits for its own end.
    public func settled(isolation: isolated any Actor = #isolation) async {
        enter(isolation)
        await sleepUntilSettled(isolation: isolation)
    }

    /// Ends the dispatcher: cancels the work in flight, drops the actions that wait, and ignores whatever is dispatched from now on.
    ///
    /// Called while an action is under way, it lets the handlers of that action finish.
    ///
    /// - Returns: how many waiting actions were dropped, those in the inbox included. 0 if it was stopped before.
    @discardableResult
    public func stop(isolation: isolated any Actor = #isolation) -> Int {
        enter(isolation)
        return end()
    }
}
