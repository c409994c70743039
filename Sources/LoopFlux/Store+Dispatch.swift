import LoopCore

extension Store {
    /// Dispatches an action and returns what it led to.
    ///
    /// ```swift
    /// let product = try await store.dispatch(Load(sku: sku), until: \.product.result)
    /// ```
    /// The reducer of the action should set the promise to pending: a result that is there when dispatching ends counts, even an old one.
    ///
    /// - Parameter outcome: finds the outcome in a state; `nil` as long as there is none.
    /// - Throws: the outcome's error; `CancellationError` if the waiting task is cancelled, the dispatcher is stopped or the store goes.
    @discardableResult
    public func dispatch<Value>(
        _ action: any Action, until outcome: (State) -> Result<Value, any Error>?, isolation: isolated any Actor = #isolation,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Value {
        dispatcher.dispatch(action, isolation: isolation, fileID: fileID, line: line)
        return try await first(outcome, isolation: isolation).get()
    }

    /// The first state, the current one included, for which a condition holds.
    ///
    /// - Throws: `CancellationError` if the waiting task is cancelled, the dispatcher is stopped or the store goes.
    public func firstState(isolation: isolated any Actor = #isolation, where condition: (State) -> Bool) async throws -> State {
        try await first({ condition($0) ? $0 : nil }, isolation: isolation)
    }

    private func first<Value>(_ value: (State) -> Value?, isolation: isolated any Actor) async throws -> Value {
        var iterator = states(.all).makeAsyncIterator()
        while let state = await iterator.next(isolation: isolation) { if let value = value(state) { return value } }
        throw CancellationError()
    }
}
