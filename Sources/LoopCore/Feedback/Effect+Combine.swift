#if canImport(Combine)
public import Combine

extension Effect {
    /// The events of a publisher, until it completes or the effect is cancelled. The publisher may publish on any thread.
    ///
    /// No event is lost: those that come faster than they are reduced wait. The publisher's error ends the effect, and middleware sees it.
    ///
    /// - Parameter make: called when the effect begins.
    public static func publisher<Events: Publisher>(
        _ make: @escaping () -> Events, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Effect where Events.Output == Event {
        // `values` alone requests one event at a time, and subjects drop events that nobody has requested.
        .stream({ make().buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest).values }, fileID: fileID, line: line)
    }
}
#endif
