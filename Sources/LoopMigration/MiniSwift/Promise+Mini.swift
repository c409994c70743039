public import LoopFlux

extension Promise {
    /// Rejected with an error: `Promise.error(_:)`.
    public init(error: any Error) { self = .error(error) }

    /// Fulfilled or rejected: `isResolved`.
    public var isCompleted: Bool { isResolved }
}

extension Promise where Value == Void {
    /// Fulfilled with nothing: `Promise.fulfilled()`.
    public static func empty() -> Promise { .fulfilled() }
}
