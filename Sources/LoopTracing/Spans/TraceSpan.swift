public import LoopCore

/// Something that took time in a system: an event, a phase of an event, or an effect.
///
/// The spans of one lane of one source nest: of any two, one lies within the other or they do not overlap.
public struct TraceSpan: Sendable {
    /// What took the time.
    public enum Kind: Sendable, Hashable {
        /// An event from when the loop took it until its last state was shown, the asynchronous work of its `Next` included.
        case event
        /// A part of an event: `.reduce`, `.effect`, `.bindings` or `.middleware`. An event with loading states repeats some of them.
        case phase(TracePhase)
        /// An effect of a feedback or a reducer.
        case feedback
    }

    /// The system it belongs to.
    public var source: TraceSource
    /// Unique among the spans of one source. Never 0.
    public var id: UInt64
    /// The span of the event that it belongs to; `nil` for an event and for what the initial state started.
    public var parent: UInt64?
    /// When that event began; `nil` where there is none or its time is no longer known.
    package var parentStart: UInt64?
    public var kind: Kind
    /// The event's name, the phase's or the effect's.
    public var name: String
    /// The name of the event that it belongs to, or that it is; `nil` for what the initial state started.
    public var event: String?
    /// The number of that event, 0 for the initial state.
    public var number: Int
    /// 0 for events and their parts; effects have lanes of their own from 1 on, as many as run at the same time.
    public var lane = 0
    /// When it began, in nanoseconds of the system's `StepClock`. ``TraceEpoch`` turns it into a time of day.
    public var start: UInt64
    /// In nanoseconds.
    public var duration: UInt64
    /// How long the event waited before ``start``, in nanoseconds; 0 for anything but an event.
    public var queueWait: UInt64 = 0
    /// Where the event was sent; `nil` for anything but an event.
    public var origin: SendOrigin?
    /// How it ended. Of an error, only its type and its enum case are written: its payload may be secret.
    public var outcome = Outcome.finished

    package var end: UInt64 { start &+ duration }
}

/// One traced system: each attached trace makes one.
public final class TraceSource: Sendable {
    /// The name of the `System`.
    public let name: String?
    /// Random, so practically unique across processes. Other formats derive their ids from it.
    public let id: UInt64

    /// - Parameter id: a random number; a fixed one is for tests that compare ids.
    package init(name: String? = nil, id: UInt64 = .random(in: 1...UInt64.max)) { (self.name, self.id) = (name, id) }
}
