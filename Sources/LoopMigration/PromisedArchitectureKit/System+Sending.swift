public import LoopCore

extension System {
    /// PromisedArchitectureKit's and ArchitectureKit's name for `send(_:)`.
    public func sendEvent(_ event: Event, isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID, line: UInt = #line) {
        send(event, isolation: isolation, fileID: fileID, line: line)
    }

    /// CombineFeedback's name for `send(_:)`.
    public func send(event: Event, isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID, line: UInt = #line) {
        send(event, isolation: isolation, fileID: fileID, line: line)
    }

    /// Calls back at each step with the state, and with the states that the system keeps as its history. Any number of callbacks may be
    /// added; PromisedArchitectureKit keeps only the last.
    ///
    /// In new code, use a `Middleware`, which also gets the event.
    public func addLoopCallback(callback: @escaping (State, [State]) -> Void) {
        attach(Middleware { [weak self] step in callback(step.state, self?.history ?? []) })
    }
}
