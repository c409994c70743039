/// A table that turns the next bits of a deflate stream into a symbol (RFC 1951 §3.2.2), in one look-up for most codes and two for
/// the longest.
///
/// The first `primaryBits` bits choose an entry; a longer code's entry leads to a second table behind the first. An entry tells all
/// that the decoder needs of a symbol: what to output, or the base of a length or distance with the count of its extra
/// bits, and how many bits to take.
struct HuffmanTable {
    /// What an entry of 32 bits holds.
    enum Entry {
        /// The bits to take, extra bits included.
        static let takenMask: UInt32 = 0x3F
        /// Two literals: the first one in the lower byte of the value. The code's length is the first one's.
        static let pairShift: UInt32 = 6
        static let isPair: UInt32 = 1 << pairShift
        static let isLiteral: UInt32 = 1 << 7
        /// The code's own length in bits; of a link, how many bits choose in the second table.
        static let lengthShift: UInt32 = 8
        static let lengthMask: UInt32 = 0xF
        static let isEnd: UInt32 = 1 << 13
        static let isLink: UInt32 = 1 << 14
        /// A link, the end of the block, or bits that are no code.
        static let isSpecial: UInt32 = 1 << 15
        /// The literal, the base, or the second table's place.
        static let valueShift: UInt32 = 16
    }

    static let longestCode = 15

    let primaryBits: Int
    let entries: UnsafeMutablePointer<UInt32>
    private let capacity: Int

    /// - Parameter symbols: how many there may be. Two codes at least share each second table.
    init(primaryBits: Int, symbols: Int) {
        self.primaryBits = primaryBits
        capacity = (1 << primaryBits) + (symbols / 2) << (Self.longestCode - primaryBits)
        entries = .allocate(capacity: capacity)
        entries.initialize(repeating: Entry.isSpecial, count: capacity)
    }

    func deallocate() { entries.deallocate() }

    /// Builds the table.
    ///
    /// - Parameters:
    ///   - lengths: each symbol's code length, 0 for none, 15 at most.
    ///   - allowsSingle: whether one code of one bit may stand alone, which leaves bits that are no code.
    ///   - entry: a symbol's entry without the code's length.
    /// - Returns: `false` if the lengths are no code: too many for their number of bits, or too few.
    func build(_ lengths: UnsafeBufferPointer<UInt8>, allowsSingle: Bool, _ entry: (Int) -> UInt32) -> Bool {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 2 * (Self.longestCode + 1)) { memory in
            memory.initialize(repeating: 0)
            let counts = UnsafeMutableBufferPointer(rebasing: memory[...Self.longestCode])
            let next = UnsafeMutableBufferPointer(rebasing: memory[(Self.longestCode + 1)...])
            for length in lengths { counts[Int(length)] += 1 }
            counts[0] = 0
            var left = 1
            var longest = 0
            for length in 1...Self.longestCode {
                left = left << 1 - counts[length]
                if left < 0 { return false }
                if counts[length] > 0 { longest = length }
            }
            if left > 0 && !(longest <= 1 && allowsSingle) { return false }
            var code = 0
            for length in 1...Self.longestCode {
                code = (code + counts[length - 1]) << 1
                next[length] = code
            }
            // Where one bit is all a code may have, one bit tells that it is none.
            entries.update(repeating: Entry.isSpecial | (longest <= 1 ? 1 : 0), count: 1 << primaryBits)
            var end = 1 << primaryBits
            // Ascending codes of one length keep those with common first bits together, so each second table is made once.
            for length in 1...max(longest, 1) where counts[length] > 0 {
                for symbol in lengths.indices where Int(lengths[symbol]) == length {
                    let reversed = Self.reversed(next[length], bits: length)
                    next[length] += 1
                    let bits = entry(symbol)
                    if length <= primaryBits {
                        fill(from: reversed, step: 1 << length, to: 1 << primaryBits, with: bits, length: length)
                    } else {
                        let head = reversed & (1 << primaryBits - 1)
                        if entries[head] & Entry.isLink == 0 {
                            let choosing = longest - primaryBits
                            guard end + 1 << choosing <= capacity else { return false }
                            (entries + end).update(repeating: Entry.isSpecial, count: 1 << choosing)
                            entries[head] =
                                Entry.isSpecial | Entry.isLink | UInt32(end) << Entry.valueShift | UInt32(choosing) << Entry.lengthShift
                                | UInt32(primaryBits)
                            end += 1 << choosing
                        }
                        let link = entries[head]
                        let base = Int(link >> Entry.valueShift)
                        let choosing = Int(link >> Entry.lengthShift & Entry.lengthMask)
                        fill(
                            from: base + reversed >> primaryBits, step: 1 << (length - primaryBits), to: base + 1 << choosing, with: bits,
                            length: length - primaryBits)
                    }
                }
            }
            return true
        }
    }

    /// Joins two literals into one entry wherever the first bits hold both of them whole.
    func joinLiterals() {
        // Downwards: what follows a code stands at a lower place, which must still be single when it is looked at.
        var place = 1 << primaryBits
        while place > 0 {
            place &-= 1
            let first = entries[place]
            guard first & Entry.isLiteral != 0 else { continue }
            let length = first & Entry.takenMask
            let second = entries[place &>> Int(truncatingIfNeeded: length)]
            let both = length &+ second & Entry.takenMask
            guard second & Entry.isLiteral != 0, both <= UInt32(truncatingIfNeeded: primaryBits) else { continue }
            entries[place] =
                Entry.isLiteral | Entry.isPair | both | first & (Entry.lengthMask &<< Entry.lengthShift | 0xFF &<< Entry.valueShift)
                | (second &>> Entry.valueShift) &<< (Entry.valueShift &+ 8)
        }
    }

    private func fill(from start: Int, step: Int, to end: Int, with bits: UInt32, length: Int) {
        let entry = bits + UInt32(length) | UInt32(length) << Entry.lengthShift
        var place = start
        while place < end {
            entries[place] = entry
            place += step
        }
    }

    private static func reversed(_ code: Int, bits: Int) -> Int {
        Int(UInt16(truncatingIfNeeded: code).bitReversed >> UInt16(16 - bits))
    }
}

extension UInt16 {
    fileprivate var bitReversed: UInt16 {
        var value = self
        value = (value & 0x5555) << 1 | (value >> 1) & 0x5555
        value = (value & 0x3333) << 2 | (value >> 2) & 0x3333
        value = (value & 0x0F0F) << 4 | (value >> 4) & 0x0F0F
        return value << 8 | value >> 8
    }
}
