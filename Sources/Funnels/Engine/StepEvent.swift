/// One event of one key as the engine sees it: when, and which steps it fits.
struct StepEvent {
    /// Milliseconds since 1970 UTC.
    var time: Int64
    /// Bit n − 1 is set if the event matches step n. Never 0.
    var steps: UInt32
}
