/// Fingerprints in the order they came, with a filter that recognizes nearly every new one. 19 to 22 bytes each.
///
/// The filter keeps 16 bits of each fingerprint, four of them to a word of 64 bits. Where one finds its 16 bits already there, which
/// happens to one new fingerprint in ten thousand, the log is searched from end to end. So a new fingerprint costs a look into a
/// table a quarter the size of the fingerprints themselves or less, and one that is there already costs much.
struct FingerprintLog: ~Copyable {
    /// 8 KiB: a few at a time, so that little is ever unused.
    private static var chunkCapacity: Int { 512 }
    /// Of the four that fit a word, on average: more, and too many words would be full.
    private static var mostPerWord: Int { 3 }

    private var chunks: [UnsafeMutablePointer<Fingerprint>] = []
    /// Where the next one goes, and the end of its chunk.
    private var tail: UnsafeMutablePointer<Fingerprint>?
    private var tailLeft = 0
    private(set) var count = 0
    private var filter: UnsafeMutablePointer<UInt64>
    private var mask: Int

    /// - Parameter expected: for how many there is room before it grows.
    init(expecting expected: Int = 0) {
        var words = 16
        while words * Self.mostPerWord < expected { words *= 2 }
        mask = words - 1
        filter = Self.emptyFilter(mask + 1)
    }

    deinit {
        for chunk in chunks { chunk.deallocate() }
        filter.deallocate()
    }

    /// Adds a fingerprint if the filter proves it new; else it is for ``contains(_:)`` and ``append(_:)``.
    @inline(__always)
    mutating func insertIfCertain(_ fingerprint: Fingerprint) -> Bool {
        guard Self.note(fingerprint, in: filter, mask, evenTwice: false) else { return false }
        appendNoted(fingerprint)
        return true
    }

    /// - Complexity: O(fingerprints)
    func contains(_ fingerprint: Fingerprint) -> Bool {
        for (number, chunk) in chunks.enumerated() {
            // To the end of each chunk, found or not: a plain loop is what compilers turn into vector instructions.
            var found: UInt64 = 0
            for place in 0..<min(Self.chunkCapacity, count - number * Self.chunkCapacity) {
                found |= (chunk[place].low ^ fingerprint.low) | (chunk[place].high ^ fingerprint.high) == 0 ? 1 : 0
            }
            if found != 0 { return true }
        }
        return false
    }

    /// Adds a new fingerprint that the filter could not prove new.
    mutating func append(_ fingerprint: Fingerprint) {
        _ = Self.note(fingerprint, in: filter, mask, evenTwice: true)
        appendNoted(fingerprint)
    }

    @inline(__always)
    private mutating func appendNoted(_ fingerprint: Fingerprint) {
        if tailLeft == 0 { addChunk() }
        tail?.pointee = fingerprint
        tail? += 1
        tailLeft &-= 1
        count &+= 1
        if count > Self.mostPerWord &* (mask &+ 1) { growFilter() }
    }

    /// The fingerprint's word of the filter: see ``FingerprintSet/touch(_:)``.
    @inline(__always)
    borrowing func filterWord(of fingerprint: Fingerprint) -> UInt64 { filter[Self.place(of: fingerprint, mask)] }

    /// Calls `body` with each fingerprint in the order they came.
    func forEach(_ body: (Fingerprint) -> Void) {
        for (number, chunk) in chunks.enumerated() {
            for place in 0..<min(Self.chunkCapacity, count - number * Self.chunkCapacity) { body(chunk[place]) }
        }
    }

    /// Notes a fingerprint's 16 bits in the first word from its own on that has a place left, unless they are met on the way.
    @inline(__always)
    private static func note(_ fingerprint: Fingerprint, in filter: UnsafeMutablePointer<UInt64>, _ mask: Int, evenTwice: Bool) -> Bool {
        let ones: UInt64 = 0x0001_0001_0001_0001
        let highs: UInt64 = 0x8000_8000_8000_8000
        // 0 is an empty place.
        let note = max(fingerprint.low & 0xFFFF, 1)
        var place = Self.place(of: fingerprint, mask)
        while true {
            let word = filter[place]
            let difference = word ^ (note &* ones)
            if (difference &- ones) & ~difference & highs != 0 && !evenTwice { return false }
            let empty = (word &- ones) & ~word & highs
            if empty != 0 {
                filter[place] = word | note &<< UInt64(truncatingIfNeeded: empty.trailingZeroBitCount & ~15)
                return true
            }
            place = (place &+ 1) & mask
        }
    }

    /// The topmost bits of a fingerprint choose its log among others, its lowest are its note.
    @inline(__always)
    private static func place(of fingerprint: Fingerprint, _ mask: Int) -> Int { Int(truncatingIfNeeded: fingerprint.low &>> 16) & mask }

    private mutating func addChunk() {
        let chunk = UnsafeMutablePointer<Fingerprint>.allocate(capacity: Self.chunkCapacity)
        chunks.append(chunk)
        (tail, tailLeft) = (chunk, Self.chunkCapacity)
    }

    private mutating func growFilter() {
        let largerMask = (mask + 1) * 2 - 1
        filter.deallocate()
        (filter, mask) = (Self.emptyFilter(largerMask + 1), largerMask)
        let filter = filter
        forEach { _ = Self.note($0, in: filter, largerMask, evenTwice: true) }
    }

    private static func emptyFilter(_ words: Int) -> UnsafeMutablePointer<UInt64> {
        let filter = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
        filter.initialize(repeating: 0, count: words)
        return filter
    }
}
