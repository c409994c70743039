import EventFiles

/// Counts different fingerprints in bounded memory: exactly up to a limit, beyond it by a sample.
///
/// Adaptive sampling (Wegman; Flajolet 1990): each time there are too many, only fingerprints that end with one more zero bit stay, about
/// every second one, which stands for two. The standard error is about 1.2 / √limit. The order of the data changes nothing.
struct DistinctCounter {
    private var kept: Set<Fingerprint> = []
    /// How many zero bits a kept fingerprint ends with.
    private var level: UInt64 = 0

    /// Takes a fingerprint; `limit` may fall from one call to the next, never rise.
    mutating func insert(_ fingerprint: Fingerprint, limit: Int) {
        guard fingerprint.low & mask == 0 else { return }
        kept.insert(fingerprint)
        if kept.count > limit { shrink(to: limit) }
    }

    mutating func shrink(to limit: Int) {
        while kept.count > limit {
            level += 1
            kept = kept.filter { $0.low & mask == 0 }
        }
    }

    var isExact: Bool { level == 0 }
    var count: Int { kept.count << Int(level) }

    private var mask: UInt64 { (1 << level) - 1 }
}
