/// What a record store keeps of an event: it can be put in the order of time.
protocol TimedEvent {
    var time: Int64 { get }
}

extension StepEvent: TimedEvent {}

/// An event with the values that breakdowns and held properties ask for.
struct FacetEvent: TimedEvent {
    var event: StepEvent
    /// Number of the breakdown's value, 0 where there is none.
    var value: UInt32
    /// Fingerprint of the held property's value; 0 where nothing is held.
    var hold: UInt64

    var time: Int64 { event.time }
}

/// One event as it is kept until all is read: 24 bytes of a plain funnel.
struct FunnelRecord<Event: TimedEvent> {
    /// Fingerprint of the key. Two of n keys share one with odds of n² / 2⁶⁵: for ten million keys, three in a million.
    var key: UInt64
    var event: Event
}
