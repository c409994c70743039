public import LoopFlux

/// Keeps subscriptions and cancels them when it goes. In RxSwift: `DisposeBag`.
///
/// ```swift
/// final class ProductView {
///     private let bag = SubscriptionBag()
///     init(store: ShopStore) {
///         store.observe { [weak self] in self?.show($0) }.store(in: bag)
///     }
///     func show(_ state: Shop.State) { print(state.product) }
/// }
/// ```
public final class SubscriptionBag {
    fileprivate var subscriptions: [Subscription] = []

    /// Makes an empty bag.
    public init() {}

    deinit { cancel() }

    /// Cancels all subscriptions in the bag and empties it.
    public func cancel() { for subscription in exchange(&subscriptions, with: []) { subscription.cancel() } }
}

extension Subscription {
    /// Cancels the subscription when the bag goes.
    public func store(in bag: SubscriptionBag) { bag.subscriptions.append(self) }
}
