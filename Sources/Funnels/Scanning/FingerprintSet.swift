/// A set of fingerprints in as few bytes as they allow: 9 to 18 each.
///
/// A fingerprint stands for what it was made of. Of n ids, two share one by chance with odds of n² / 2⁶⁵: for a hundred million,
/// three in ten thousand, and then a single event is missed.
///
/// The table is divided by the fingerprint's top bits, so that growing copies one part at a time and never holds two whole
/// tables at once.
struct FingerprintSet: ~Copyable {
    private static let shardBits: UInt64 = 6

    private struct Shard {
        var slots: UnsafeMutablePointer<UInt64>
        var mask: Int
        var count = 0

        init(capacity: Int) {
            slots = .allocate(capacity: capacity)
            slots.initialize(repeating: 0, count: capacity)
            mask = capacity - 1
        }

        @inline(__always)
        mutating func insert(_ fingerprint: UInt64) -> Bool {
            var slot = Int(truncatingIfNeeded: fingerprint) & mask
            while slots[slot] != 0 {
                if slots[slot] == fingerprint { return false }
                slot = (slot + 1) & mask
            }
            slots[slot] = fingerprint
            count += 1
            if count * 8 > mask * 7 { grow() }
            return true
        }

        private mutating func grow() {
            var larger = Shard(capacity: (mask + 1) * 2)
            for slot in 0...mask where slots[slot] != 0 {
                var place = Int(truncatingIfNeeded: slots[slot]) & larger.mask
                while larger.slots[place] != 0 { place = (place + 1) & larger.mask }
                larger.slots[place] = slots[slot]
            }
            larger.count = count
            slots.deallocate()
            self = larger
        }
    }

    private let shards: UnsafeMutablePointer<Shard>

    init() {
        let count = 1 << Int(Self.shardBits)
        shards = .allocate(capacity: count)
        for shard in 0..<count { (shards + shard).initialize(to: Shard(capacity: 64)) }
    }

    deinit {
        let count = 1 << Int(Self.shardBits)
        for shard in 0..<count { shards[shard].slots.deallocate() }
        shards.deinitialize(count: count)
        shards.deallocate()
    }

    /// Adds a fingerprint, which is never 0; says whether it is new.
    @inline(__always)
    mutating func insert(_ fingerprint: UInt64) -> Bool {
        shards[Int(truncatingIfNeeded: fingerprint >> (64 - Self.shardBits))].insert(fingerprint)
    }

    /// The first slots of some fingerprints that are about to be inserted, added up.
    ///
    /// A set of millions lies in no cache, and an insertion waits for its slot. These reads wait for nothing of each other, so
    /// the processor does many at a time and the insertions find their slots at hand. The sum is there so that they happen.
    @inline(__always)
    borrowing func touch(_ fingerprints: UnsafeBufferPointer<UInt64>.SubSequence) -> UInt64 {
        var sum: UInt64 = 0
        for fingerprint in fingerprints {
            let shard = shards + Int(truncatingIfNeeded: fingerprint >> (64 - Self.shardBits))
            sum &+= shard.pointee.slots[Int(truncatingIfNeeded: fingerprint) & shard.pointee.mask]
        }
        return sum
    }

    var count: Int { (0..<(1 << Int(Self.shardBits))).reduce(0) { $0 + shards[$1].count } }
}
