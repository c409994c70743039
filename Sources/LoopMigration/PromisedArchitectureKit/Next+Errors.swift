public import LoopCore

extension Next {
    /// Turns an error of the work into a value: PromisedArchitectureKit's name for `recover { .value(…) }`.
    public func mapErrorRecover(_ recover: @escaping (any Error) -> Value) -> Next { self.recover { .value(recover($0)) } }
}
