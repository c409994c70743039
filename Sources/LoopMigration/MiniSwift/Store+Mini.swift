import LoopCore
public import LoopFlux

extension Store {
    /// Shows the current state to all observers once more.
    public func replayOnce() { showAgain() }

    /// Dispatches an action and returns the store: `store.dispatch(Load()).withStateChanges(in: \.product) { … }`.
    @discardableResult
    public func dispatch(
        _ action: any Action, isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Self {
        dispatcher.dispatch(action, isolation: isolation, fileID: fileID, line: line)
        return self
    }
}
