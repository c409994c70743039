public import Basics

/// The buckets of a histogram of times: middleware writes them, the command reads them. Values up to 63 ns have a bucket each. Above that,
/// each power of two is divided into 32 buckets of equal width: no value is more than 1/64 away from the middle of its bucket.
@usableFromInline
package struct LatencyBuckets: Sendable, Hashable {
    /// 2^5 buckets in each power of two.
    @usableFromInline static let subBits = 5
    /// Below this value, each value has a bucket of its own.
    @usableFromInline static let exactBelow: UInt64 = 1 << UInt64(subBits + 1)

    /// How many values fell into each bucket; empty ones at the end are left out.
    @usableFromInline package var counts: ContiguousArray<UInt64> = []
    @usableFromInline package var count: UInt64 = 0
    /// The sum of all values in nanoseconds. It stops at 2^64-1, as merged counts do.
    @usableFromInline package var total: UInt64 = 0
    @usableFromInline package var least = UInt64.max
    @usableFromInline package var greatest: UInt64 = 0

    @inlinable package init() {}

    @inlinable
    package mutating func record(_ nanoseconds: UInt64) {
        let bucket = Self.bucket(of: nanoseconds)
        if bucket >= counts.count { grow(toHold: bucket) }
        counts[bucket] &+= 1
        count &+= 1
        total = total.addingClamped(nanoseconds)
        if nanoseconds < least { least = nanoseconds }
        if nanoseconds > greatest { greatest = nanoseconds }
    }

    package mutating func merge(_ other: LatencyBuckets) {
        guard other.count > 0 else { return }
        if other.counts.count > counts.count { grow(toHold: other.counts.count - 1) }
        for bucket in other.counts.indices { counts[bucket] = counts[bucket].addingClamped(other.counts[bucket]) }
        count = count.addingClamped(other.count)
        total = total.addingClamped(other.total)
        least = min(least, other.least)
        greatest = max(greatest, other.greatest)
    }

    /// A percentile by the nearest-rank definition; `nil` without values.
    package func percentile(_ percent: Double) -> UInt64? {
        guard count > 0 else { return nil }
        let rank = rank(of: percent)
        // The smallest and the largest value are known exactly.
        if rank == 1 { return least }
        if rank == count { return greatest }
        var passed: UInt64 = 0
        for bucket in counts.indices {
            passed = passed.addingClamped(counts[bucket])
            if passed >= rank { return min(max(Self.middle(of: bucket), least), greatest) }
        }
        return greatest
    }

    /// The rank of a percentile, from 1 to ``count``.
    private func rank(of percent: Double) -> UInt64 {
        // NaN fails both comparisons and counts as 0.
        guard percent > 0 else { return 1 }
        guard percent < 100 else { return count }
        // Multiplied first: 7 / 100 * 100 is a little more than 7.
        let exact = (percent * Double(count) / 100).rounded(.up)
        return min(max(UInt64(exactly: exact) ?? count, 1), count)
    }

    /// Grows by all 32 buckets of a power of two at once, so that few records pay for it.
    @usableFromInline
    package mutating func grow(toHold bucket: Int) {
        let perPower = 1 << Self.subBits
        let size = (bucket / perPower + 1) * perPower
        if size > counts.count { counts.append(contentsOf: repeatElement(0, count: size - counts.count)) }
    }

    /// The number of a value's bucket. From ``exactBelow`` on it is the value's highest six bits, plus 32 for each bit below them.
    @inlinable
    package static func bucket(of value: UInt64) -> Int {
        if value < exactBelow { return Int(value) }
        let shift = 63 - value.leadingZeroBitCount - subBits
        return (shift << subBits) + Int(truncatingIfNeeded: value >> UInt64(shift))
    }

    package static func middle(of bucket: Int) -> UInt64 {
        let (shift, bottom) = bottom(of: bucket)
        return bottom + (1 << shift) / 2
    }

    package static func lowest(of bucket: Int) -> UInt64 { bottom(of: bucket).value }

    package static func highest(of bucket: Int) -> UInt64 {
        let (shift, bottom) = bottom(of: bucket)
        // The next bucket's lowest value less 1 would not do: the last bucket has no next.
        return bottom + ((1 << shift) - 1)
    }

    private static func bottom(of bucket: Int) -> (shift: UInt64, value: UInt64) {
        if bucket < Int(exactBelow) { return (0, UInt64(bucket)) }
        let shift = UInt64((bucket >> subBits) - 1)
        return (shift, UInt64((bucket & ((1 << subBits) - 1)) | (1 << subBits)) << shift)
    }

    /// The buckets that are not empty: the largest value of each, so that a reader need not know the numbering, and the number of values.
    package var sparse: [(upTo: UInt64, count: UInt64)] {
        counts.indices.lazy.filter { counts[$0] > 0 }.map { (Self.highest(of: $0), counts[$0]) }
    }

    /// A histogram from its ``sparse`` form, sum and ends; `nil` if bounds do not rise, counts overflow, or the ends contradict the bounds.
    package init?(total: UInt64, least: UInt64, greatest: UInt64, sparse: [(upTo: UInt64, count: UInt64)]) {
        guard zip(sparse, sparse.dropFirst()).allSatisfy({ $0.upTo < $1.upTo }) else { return nil }
        for (upTo, count) in sparse {
            let (sum, overflow) = self.count.addingReportingOverflow(count)
            if overflow { return nil }
            self.count = sum
            grow(toHold: Self.bucket(of: upTo))
            counts[Self.bucket(of: upTo)] &+= count
        }
        guard let first = sparse.firstIndex(where: { $0.count > 0 }), let last = sparse.lastIndex(where: { $0.count > 0 }) else { return }
        guard least <= greatest, least <= sparse[first].upTo, last == 0 || sparse[last - 1].upTo < greatest else { return nil }
        (self.total, self.least, self.greatest) = (total, least, greatest)
    }

    /// The values recorded after an earlier copy of this histogram; all values if this does not continue that copy. Counts and sum are
    /// exact. The least and the greatest value are exact if they are new extremes; otherwise they are the ends of the buckets of the new
    /// values. So consecutive differences, merged, equal this histogram.
    package func since(_ earlier: LatencyBuckets) -> LatencyBuckets {
        guard continues(earlier) else { return self }
        var rest = LatencyBuckets()
        rest.count = count - earlier.count
        guard rest.count > 0 else { return rest }
        rest.total = total - earlier.total
        rest.counts = counts
        for bucket in earlier.counts.indices { rest.counts[bucket] -= earlier.counts[bucket] }
        let first = rest.counts.firstIndex { $0 > 0 } ?? 0
        let last = rest.counts.lastIndex { $0 > 0 } ?? 0
        rest.least = least < earlier.least ? least : max(Self.lowest(of: first), least)
        rest.greatest = greatest > earlier.greatest ? greatest : min(Self.highest(of: last), greatest)
        return rest
    }

    /// Whether no value was lost since the earlier copy: no count fell, the sum did not fall, and the extremes did not come closer.
    private func continues(_ earlier: LatencyBuckets) -> Bool {
        count >= earlier.count && total >= earlier.total && counts.count >= earlier.counts.count && least <= earlier.least
            && greatest >= earlier.greatest && earlier.counts.indices.allSatisfy { counts[$0] >= earlier.counts[$0] }
    }
}
