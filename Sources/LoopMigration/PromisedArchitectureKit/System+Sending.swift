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

    /// Calls back at each step with the state, and with the history that the system keeps. PromisedArchitectureKit keeps one callback.
    ///
    /// In new code, use a `Middleware`, which also gets the event.
    public func addLoopCallback(callback: @escaping (State, [State]) -> Void) {
        attach(Middleware { [weak self] step in callback(step.state, self?.history ?? []) })
    }
}
