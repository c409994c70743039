#if canImport(Combine)
public import Combine

extension Effect {
    /// The events of a publisher, until it completes or the effect is cancelled. It may publish on any thread.
    ///
    /// None is lost: what comes faster than it is reduced waits. A failure ends the effect, and middleware sees it.
    ///
    /// - Parameter make: called when the effect begins.
    public static func publisher<Events: Publisher>(_ make: @escaping () -> Events) -> Effect where Events.Output == Event {
        // `values` by itself asks for one at a time, and subjects drop what nobody has asked for.
        .stream { make().buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest).values }
    }
}
#endif
