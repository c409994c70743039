/// A set of fingerprints in as few bytes as they allow: 9 to 18 each.
///
/// A fingerprint stands for what it was made of. Of n ids, two share one by chance with odds of n² / 2⁶⁵: for a hundred million,
/// three in ten thousand, and then a single event is missed.
///
/// The set is divided by the fingerprint's top bits, so that growing copies one part at a time and never holds two whole tables at
/// once. A part begins as a log with a filter, which is all that ids need that never come twice: a table of millions lies in no
/// cache, and each look into it waits for the memory. Where fingerprints do come again, a part becomes a table.
struct FingerprintSet: ~Copyable {
    private static var shardBits: UInt64 { 8 }
    private static var shardCount: Int { 1 << Int(shardBits) }

    private struct Shard: ~Copyable {
        /// A log of n is searched for as many fingerprints as n times this, added up; that is about what making it a table costs.
        static var searchesWorthTable: Int { 64 }

        var log = FingerprintLog()
        var table = FingerprintTable()
        var isTable = false
        var searched = 0

        @inline(__always)
        mutating func insert(_ fingerprint: UInt64) -> Bool {
            if !isTable && log.insertIfCertain(fingerprint) { return true }
            return insertDoubtful(fingerprint)
        }

        @inline(never)
        private mutating func insertDoubtful(_ fingerprint: UInt64) -> Bool {
            if isTable { return table.insert(fingerprint) }
            searched += log.count
            if searched > Self.searchesWorthTable * log.count {
                becomeTable()
                return table.insert(fingerprint)
            }
            if log.contains(fingerprint) { return false }
            log.append(fingerprint)
            return true
        }

        private mutating func becomeTable() {
            table = FingerprintTable(expecting: log.count + 1)
            log.forEach { _ = table.insert($0) }
            log = FingerprintLog()
            isTable = true
        }

        @inline(__always)
        borrowing func touch(_ fingerprint: UInt64) -> UInt64 {
            isTable ? table.firstSlot(of: fingerprint) : log.filterWord(of: fingerprint)
        }

        var count: Int { isTable ? table.count : log.count }
    }

    private let shards: UnsafeMutablePointer<Shard>

    init() {
        shards = .allocate(capacity: Self.shardCount)
        for shard in 0..<Self.shardCount { (shards + shard).initialize(to: Shard()) }
    }

    deinit {
        shards.deinitialize(count: Self.shardCount)
        shards.deallocate()
    }

    /// Adds a fingerprint, which is never 0; says whether it is new.
    @inline(__always)
    mutating func insert(_ fingerprint: UInt64) -> Bool { shards[Self.shard(of: fingerprint)].insert(fingerprint) }

    /// What some fingerprints that are about to be inserted will look at first, added up.
    ///
    /// A set of millions lies in no cache, and an insertion waits for what it looks at. These reads wait for nothing of each other,
    /// so the processor does many at a time and the insertions find theirs at hand. The sum is there so that they happen.
    @inline(__always)
    borrowing func touch(_ fingerprints: UnsafeBufferPointer<UInt64>.SubSequence) -> UInt64 {
        var sum: UInt64 = 0
        for fingerprint in fingerprints { sum &+= shards[Self.shard(of: fingerprint)].touch(fingerprint) }
        return sum
    }

    @inline(__always)
    private static func shard(of fingerprint: UInt64) -> Int { Int(truncatingIfNeeded: fingerprint &>> (64 &- shardBits)) }

    var count: Int { (0..<Self.shardCount).reduce(0) { $0 + shards[$1].count } }
}
