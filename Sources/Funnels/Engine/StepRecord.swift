/// One event that matches a step, as it is kept until all is read: 24 bytes.
struct StepRecord {
    /// Fingerprint of the key. Two of n keys share one with odds of n² / 2⁶⁵: for ten million keys, three in a million.
    var key: UInt64
    var event: StepEvent
}
