/// Recognizes as new nearly every fingerprint that it has not noted yet. It keeps 16 bits of each, four of them to a word of 64 bits. One
/// new fingerprint in ten thousand finds its 16 bits already there.
struct FingerprintFilter: ~Copyable {
    /// How many notes a word holds on average at most, of the four that fit. With more, too many words would be full.
    private static var mostPerWord: Int { 3 }

    private var words: UnsafeMutablePointer<UInt64>
    private let mask: Int

    init(expecting expected: Int) {
        var count = 16
        while count * Self.mostPerWord < expected { count *= 2 }
        words = .allocate(capacity: count)
        words.initialize(repeating: 0, count: count)
        mask = count - 1
    }

    deinit { words.deallocate() }

    /// How many fingerprints it takes. With more it would be slow, and with a third more it has no room.
    var capacity: Int { @inline(__always) get { Self.mostPerWord &* (mask &+ 1) } }

    /// The word that ``note(_:evenTwice:)`` looks at first.
    @inline(__always)
    borrowing func word(of fingerprint: Fingerprint) -> UInt64 { words[index(of: fingerprint)] }

    /// Notes a fingerprint's 16 bits in the first word with room, from its own word on, and returns `true`. If a word on the way holds
    /// these bits, the fingerprint may not be new, and is noted only with `evenTwice`. At most ``capacity`` may have been noted before.
    @inline(__always) @discardableResult
    mutating func note(_ fingerprint: Fingerprint, evenTwice: Bool = false) -> Bool {
        let ones: UInt64 = 0x0001_0001_0001_0001
        let highs: UInt64 = 0x8000_8000_8000_8000
        // 0 is an empty quarter.
        let note = max(fingerprint.low & 0xFFFF, 1)
        var index = index(of: fingerprint)
        while true {
            let word = words[index]
            let difference = word ^ (note &* ones)
            if (difference &- ones) & ~difference & highs != 0 && !evenTwice { return false }
            let empty = (word &- ones) & ~word & highs
            if empty != 0 {
                words[index] = word | note &<< UInt64(truncatingIfNeeded: empty.trailingZeroBitCount & ~15)
                return true
            }
            index = (index &+ 1) & mask
        }
    }

    /// Neither the topmost bits, which choose the log, nor the lowest 16, which are the note, choose the word.
    @inline(__always)
    private borrowing func index(of fingerprint: Fingerprint) -> Int { Int(truncatingIfNeeded: fingerprint.low &>> 16) & mask }
}
