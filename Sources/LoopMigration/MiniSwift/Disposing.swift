public import LoopFlux

/// Mini's protocol of states: here any `Equatable` type.
public typealias StateType = Equatable

/// RxSwift's name of a bag.
public typealias DisposeBag = SubscriptionBag

/// RxSwift's word for what can be ended, for controllers that conform to it.
public protocol Disposable {
    func dispose()
}

extension Subscription: Disposable {
    /// RxSwift's spelling of `cancel()`.
    public func dispose() { cancel() }

    /// RxSwift's spelling of `store(in:)`.
    public func disposed(by bag: SubscriptionBag) { store(in: bag) }
}

extension Dictionary {
    /// The value of a key, which is put there first if there is none.
    public mutating func getOrPut(_ key: Key, orPut value: () -> Value) -> Value {
        if let found = self[key] { return found }
        let new = value()
        self[key] = new
        return new
    }
}
