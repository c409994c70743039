/// An event with the steps and exclusions that it fits, as bits.
protocol SteppedEvent: TimedEvent {
    var steps: UInt32 { get set }
    var exclusions: UInt32 { get set }
}

/// One event of one key as the engine sees it: when, and which steps it fits.
struct StepEvent: SteppedEvent, Sendable, BitwiseCopyable {
    var time: Int64
    /// Bit n − 1 is set if the event matches step n. This and ``exclusions`` are both 0 only where events that fit nothing are kept.
    var steps: UInt32
    /// Bit n is set if the event matches exclusion n, from 0.
    var exclusions: UInt32 = 0
    /// Number of the breakdown's value, 0 where there is none.
    var value: UInt32 = 0
    /// The held property's value. Where visits are counted: the event's session, or its user if sessions are keys. A number, 0 for none.
    var hold: UInt32 = 0
}

extension UnsafeBufferPointer<StepEvent> {
    /// Calls `body` with the events of each millisecond, by rising time, until it returns false.
    @inline(__always)
    func forEachMoment(_ body: (_ moment: SubSequence, _ time: Int64) -> Bool) {
        var start = 0
        while start < count {
            let time = self[start].time
            var end = start + 1
            while end < count && self[end].time == time { end += 1 }
            if !body(self[start..<end], time) { return }
            start = end
        }
    }
}

extension Slice<UnsafeBufferPointer<StepEvent>> {
    /// The exclusions that any of the events fits, as bits.
    var exclusions: UInt32 { reduce(0) { $0 | $1.exclusions } }
}
