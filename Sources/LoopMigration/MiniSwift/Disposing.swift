public import LoopFlux

extension Subscription {
    /// RxSwift's spelling of `cancel()`.
    public func dispose() { cancel() }

    /// RxSwift's spelling of `store(in:)`.
    public func disposed(by bag: SubscriptionBag) { store(in: bag) }
}
