public import LoopFlux

/// Mini's protocol of states. A store takes any `Equatable` type.
public protocol StateType: Equatable {}

/// RxSwift's name for a bag.
public typealias DisposeBag = SubscriptionBag

/// RxSwift's word for what can be ended, for controllers that conform to it.
public protocol Disposable { func dispose() }

extension Subscription: Disposable {
    /// Mini's reducer. It begins when it is made and ends when it is disposed of; until then the dispatcher keeps what the closure holds.
    public convenience init<Kind: Action>(of type: Kind.Type, on home: Dispatcher, reducer: @escaping (Kind) -> Void) {
        self.init(home.subscribe(to: type, reducer).cancel)
    }

    /// RxSwift's spelling of `cancel()`.
    public func dispose() { cancel() }

    /// RxSwift's spelling of `store(in:)`.
    public func disposed(by bag: SubscriptionBag) { store(in: bag) }
}

extension [Subscription] {
    /// Mini's group of reducers: `ReducerGroup { [Reducer(of: Load.self, on: dispatcher) { action in … }] }` in an extension of a `Store`.
    public init(_ reducers: () -> [Subscription]) { self = reducers() }

    public func disposed(by bag: SubscriptionBag) { for each in self { each.disposed(by: bag) } }
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
