/// A set of fingerprints in few bytes: 18 to 37 each, and up to 2 MiB besides. Their top bits divide the set into shards, so that growing
/// never holds two whole tables at once. A shard begins as a log with a filter, which suffices for ids that never come twice. A table of
/// millions lies in no cache: each look-up waits for the memory. Only where fingerprints come again does a shard become a table.
package struct FingerprintSet: ~Copyable {
    private static var shardBits: UInt64 { 8 }
    private static var shardCount: Int { 1 << Int(shardBits) }

    private struct Shard: ~Copyable {
        /// After about this many searches a log becomes a table: by then they have cost about as much as making the table does.
        static var searchesWorthTable: Int { 64 }

        var log = FingerprintLog()
        var table = FingerprintTable()
        var isTable = false
        var searched = 0

        @inline(__always)
        mutating func insert(_ fingerprint: Fingerprint) -> Bool {
            !isTable && log.insertIfCertain(fingerprint) || insertDoubtful(fingerprint)
        }

        @inline(never)
        private mutating func insertDoubtful(_ fingerprint: Fingerprint) -> Bool {
            if isTable { return table.insert(fingerprint) }
            searched += log.count
            if searched > Self.searchesWorthTable * log.count {
                table = FingerprintTable(expecting: log.count + 1)
                log.forEach { _ = table.insert($0) }
                log = FingerprintLog()
                isTable = true
                return table.insert(fingerprint)
            }
            if log.contains(fingerprint) { return false }
            log.append(fingerprint)
            return true
        }

        @inline(__always)
        borrowing func touch(_ fingerprint: Fingerprint) -> UInt64 {
            isTable ? table.firstSlot(of: fingerprint) : log.filterWord(of: fingerprint)
        }

        var count: Int { isTable ? table.count : log.count }

        func forEach(_ body: (Fingerprint) -> Void) { if isTable { table.forEach(body) } else { log.forEach(body) } }
    }

    /// How many insertions are read ahead at a time: more than a processor has reads under way, and few enough to stay in its cache.
    private static let together = 64

    /// What the reads ahead gave, kept so that they are not optimized away.
    private var touched: UInt64 = 0
    /// Reached by `pointee`: subscripts of elements that cannot be copied crash the compiler (6.3.1) under the thread sanitizer.
    private let shards: UnsafeMutablePointer<Shard>

    package init() {
        shards = .allocate(capacity: Self.shardCount)
        for shard in 0..<Self.shardCount { (shards + shard).initialize(to: Shard()) }
    }

    deinit {
        shards.deinitialize(count: Self.shardCount)
        shards.deallocate()
    }

    /// Adds a fingerprint, which is not ``Fingerprint/none``; says whether it is new.
    @inline(__always)
    package mutating func insert(_ fingerprint: Fingerprint) -> Bool { (shards + Self.shard(of: fingerprint)).pointee.insert(fingerprint) }

    /// Adds the fingerprints of a batch except ``Fingerprint/none``. Passes to `repeated`, rising, the index of each that was in the set.
    package mutating func insert(_ batch: [Fingerprint], repeated: (Int) -> Void) {
        batch.withUnsafeBufferPointer { batch in
            for start in stride(from: 0, to: batch.count, by: Self.together) {
                let end = min(start + Self.together, batch.count)
                // An insertion first reads memory that is in no cache. No read here waits for another: the processor does many at once.
                var sum: UInt64 = 0
                for fingerprint in batch[start..<end] { sum &+= (shards + Self.shard(of: fingerprint)).pointee.touch(fingerprint) }
                touched &+= sum
                for index in start..<end where !batch[index].isNone && !insert(batch[index]) { repeated(index) }
            }
        }
    }

    /// Gives the filters at once the size for so many fingerprints, if the set is empty.
    package mutating func reserve(_ expected: Int) {
        guard count == 0 else { return }
        // Shards do not fill evenly.
        let each = expected / Self.shardCount + expected / Self.shardCount / 8
        for shard in 0..<Self.shardCount { (shards + shard).pointee.log = FingerprintLog(expecting: each) }
    }

    @inline(__always)
    private static func shard(of fingerprint: Fingerprint) -> Int { Int(truncatingIfNeeded: fingerprint.high &>> (64 &- shardBits)) }

    /// Passes on the set shard by shard, rising by the fingerprints' top bits; inside a shard they stand in any order.
    func forEachPart(_ body: ([Fingerprint]) -> Void) {
        for shard in 0..<Self.shardCount {
            var part: [Fingerprint] = []
            part.reserveCapacity((shards + shard).pointee.count)
            (shards + shard).pointee.forEach { part.append($0) }
            body(part)
        }
    }

    package var count: Int { (0..<Self.shardCount).reduce(0) { $0 + (shards + $1).pointee.count } }
}
