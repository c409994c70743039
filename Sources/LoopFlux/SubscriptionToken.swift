/// Something that is in force until it is disposed of: a ``Subscription``, an ``ActionReducer``, a ``ReducerGroup``, an ``Observation``.
///
/// Mini takes RxSwift's `Disposable` and `DisposeBag`; here they are this and ``SubscriptionBag``.
public protocol SubscriptionToken: AnyObject {
    /// Ends it. A second call does nothing.
    func dispose()
}

extension SubscriptionToken {
    /// Ties it to a bag: it ends when the bag goes.
    public func disposed(by bag: SubscriptionBag) { bag.insert(self) }
}

/// Keeps tokens and disposes of them when it goes.
///
/// ```swift
/// final class ProductView {
///     private let bag = SubscriptionBag()
///     init(store: ShopStore) {
///         store.observe { [weak self] in self?.show($0) }.disposed(by: bag)
///     }
/// }
/// ```
public final class SubscriptionBag: SubscriptionToken {
    private var tokens: [any SubscriptionToken] = []

    /// An empty bag.
    public init() {}

    deinit { dispose() }

    /// Keeps a token.
    public func insert(_ token: any SubscriptionToken) { tokens.append(token) }

    /// Disposes of all that it holds. The bag can be filled again.
    public func dispose() {
        let disposed = tokens
        tokens = []
        for token in disposed { token.dispose() }
    }
}
