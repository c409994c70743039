/// One event of one key as the engine sees it: when, and which steps it fits.
struct StepEvent {
    /// Milliseconds since 1970 UTC.
    var time: Int64
    /// Bit n − 1 is set if the event matches step n. With ``exclusions`` never 0, except where other events count too.
    var steps: UInt32
    /// Bit n is set if the event matches exclusion n, from 0. The four bytes would be padding otherwise.
    var exclusions: UInt32 = 0
}
