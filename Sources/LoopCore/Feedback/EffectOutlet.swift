/// Where an effect puts its events.
///
/// It belongs to one run of one effect: once that has ended, was replaced or cancelled, events are dropped. It keeps no system alive.
public struct EffectOutlet<Event> {
    let deliver: (Event, SendOrigin) -> Void

    /// Puts an event into the system's queue. If nothing is under way there, the event is reduced before this returns.
    ///
    /// Call it on the system's isolation, where an effect's own code runs. A call from elsewhere stops the program; send through
    /// ``System/inbox(isolation:)`` there.
    public func send(_ event: Event, fileID: StaticString = #fileID, line: UInt = #line) {
        deliver(event, SendOrigin(fileID: fileID, line: line))
    }

    func pullback<Other>(_ transform: @escaping (Other) -> Event) -> EffectOutlet<Other> {
        EffectOutlet<Other> { other, origin in deliver(transform(other), origin) }
    }
}
