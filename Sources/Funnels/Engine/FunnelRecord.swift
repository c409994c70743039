import EventFiles

/// What a record store keeps of an event: it can be put in the order of time.
protocol TimedEvent {
    var time: Int64 { get }
    /// The steps that it fits, as bits.
    var steps: UInt32 { get }
}

extension StepEvent: TimedEvent {}

/// An event with the values that breakdowns and held properties ask for.
struct GroupEvent: TimedEvent {
    var event: StepEvent
    /// Number of the breakdown's value, 0 where there is none.
    var value: UInt32
    /// Fingerprint of the held property's value; where visits are counted of the event's session, or of its user where sessions are keys.
    var hold: Fingerprint

    var time: Int64 { event.time }
    var steps: UInt32 { event.steps }
}

/// One event as it is kept until all is read: 32 bytes of a plain funnel.
struct FunnelRecord<Event: TimedEvent> {
    var key: Fingerprint
    var event: Event
}
