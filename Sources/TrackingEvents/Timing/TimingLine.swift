/// The `timing` line of version 1: how long one phase of one name of event took, as a histogram.
///
/// ```json
/// {"v":1,"t_ms":1767225660000,"name":"step_timing","id":"0193…","type":"timing","system":"shop","props":{"event":"openProduct",
///  "phase":"reduce","count":3,"sum_ns":1290,"min_ns":410,"max_ns":460,"le_ns":[415,463],"n":[1,2]}}
/// ```
/// `n` counts the values up to the `le_ns` at the same index and above the one before; empty buckets are left out. Lines add up: a histogram
/// is the sum of all lines with its system, event and phase, from any files. A histogram too long for one line takes several, each of
/// which counts its own values, with the sum in the first.
package struct TimingLine: Sendable, Hashable {
    package static let name = "step_timing"
    /// The most buckets in one line: with the longest numbers and names a third of the longest line.
    package static let maxBuckets = 256

    package var event: String
    /// `reduce`, `queue_wait` …
    package var phase: String
    package var buckets: LatencyBuckets

    package init(event: String, phase: String, buckets: LatencyBuckets) {
        self.event = event
        self.phase = phase
        self.buckets = buckets
    }
}
