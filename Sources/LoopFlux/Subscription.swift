/// The registration of a handler at a ``Dispatcher``, or of reducers or an observer at a ``Store``.
///
/// It stays in force until ``cancel()`` is called or the dispatcher or store goes, kept or not. It keeps neither of them alive.
public final class Subscription {
    /// `nil` once cancelled.
    private var end: (() -> Void)?

    package init(_ end: @escaping () -> Void) { self.end = end }

    /// Ends the subscription and releases its closure, which is not called again, not even for what is being delivered. May be repeated.
    public func cancel() { end.take()?() }
}
