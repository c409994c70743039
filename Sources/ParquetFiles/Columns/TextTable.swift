import Basics

/// Different texts in the order they came, found again by their bytes.
struct TextTable {
    let bytes = ByteBuffer(capacity: 1024)
    /// Where each text begins, and the end of the last.
    private(set) var offsets: [Int] = [0]
    private var hashes: [UInt64] = []
    /// Open addressing with linear steps: number + 1, or 0.
    private var slots = [UInt32](repeating: 0, count: 64)

    var count: Int { hashes.count }

    func text(_ number: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes.raw[offsets[number]..<offsets[number + 1]])
    }

    /// The number of a text; a new one gets the next.
    mutating func number(of text: UnsafeRawBufferPointer) -> Int {
        let hash = Self.hash(text)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if hashes[number] == hash, isText(number, text) { return number }
            slot = (slot + 1) & (slots.count - 1)
        }
        bytes.append(text)
        offsets.append(bytes.count)
        hashes.append(hash)
        slots[slot] = UInt32(hashes.count)
        if hashes.count * 2 > slots.count { grow() }
        return hashes.count - 1
    }

    @inline(__always)
    private func isText(_ number: Int, _ text: UnsafeRawBufferPointer) -> Bool {
        let (start, end) = (offsets[number], offsets[number + 1])
        guard end - start == text.count, let base = text.baseAddress else { return end - start == text.count }
        return memcmp(bytes.base + start, base, text.count) == 0
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        for (number, hash) in hashes.enumerated() {
            var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(number + 1)
        }
    }

    /// Folds eight bytes at a time by a 64 × 64 → 128 bit multiplication.
    private static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
        var state = 0x6A09_E667_F3BC_C909 ^ UInt64(truncatingIfNeeded: text.count) &* 0x3C6E_F372_FE94_F82B
        func fold(_ word: UInt64) {
            let (high, low) = (state ^ word).multipliedFullWidth(by: 0xBB67_AE85_84CA_A73B)
            state = high ^ low
        }
        var offset = 0
        while offset + 8 <= text.count {
            fold(text.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian)
            offset += 8
        }
        var tail: UInt64 = 0
        while offset < text.count {
            tail = tail << 8 | UInt64(text[offset])
            offset += 1
        }
        fold(tail)
        return state
    }
}
