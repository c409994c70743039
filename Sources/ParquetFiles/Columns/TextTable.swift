import Basics

/// A hash table that numbers different texts in the order in which they come.
struct TextTable {
    let bytes = ByteBuffer(capacity: 1024)
    /// Where each text begins, and the end of the last.
    private(set) var offsets: [Int] = [0]
    private var hashes: [Int] = []
    /// Part of each hash, so that nobody can choose texts that all hash to one slot.
    private let seed = UInt64.random(in: .min ... .max)
    /// Open addressing with linear probing: a text's number + 1, or 0.
    private var slots = [UInt32](repeating: 0, count: 64)

    var count: Int { hashes.count }

    func text(_ number: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes.raw[offsets[number]..<offsets[number + 1]])
    }

    mutating func number(of text: UnsafeRawBufferPointer) -> Int {
        let hash = hash(text)
        var slot = hash & (slots.count - 1)
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
    private func hash(_ text: UnsafeRawBufferPointer) -> Int {
        var state = seed ^ UInt64(text.count) &* 0x3C6E_F372_FE94_F82B
        text.forEachWord { state = (state ^ $0).folded(by: 0xBB67_AE85_84CA_A73B) }
        return Int(truncatingIfNeeded: state)
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
            var slot = hash & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(number + 1)
        }
    }
}
