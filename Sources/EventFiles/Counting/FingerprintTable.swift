/// A hash table of fingerprints with linear probing; their low bits are the hash. 18 to 37 bytes each.
struct FingerprintTable: ~Copyable {
    private var slots: UnsafeMutablePointer<Fingerprint>
    private var mask: Int
    private(set) var count = 0

    init(expecting expected: Int = 0) {
        var capacity = 2
        while capacity * 7 < expected * 8 { capacity *= 2 }
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: Fingerprint.none, count: capacity)
        mask = capacity - 1
    }

    deinit { slots.deallocate() }

    /// Adds a fingerprint, which is not ``Fingerprint/none``; says whether it is new.
    @inline(__always)
    mutating func insert(_ fingerprint: Fingerprint) -> Bool {
        var slot = Int(truncatingIfNeeded: fingerprint.low) & mask
        while !slots[slot].isNone {
            if slots[slot] == fingerprint { return false }
            slot = (slot &+ 1) & mask
        }
        slots[slot] = fingerprint
        count &+= 1
        if count &* 8 > mask &* 7 { grow() }
        return true
    }

    /// What the first slot of a fingerprint holds, to read it ahead: see ``FingerprintSet/insert(_:repeated:)``.
    @inline(__always)
    borrowing func firstSlot(of fingerprint: Fingerprint) -> UInt64 { slots[Int(truncatingIfNeeded: fingerprint.low) & mask].low }

    func forEach(_ body: (Fingerprint) -> Void) { for slot in 0...mask where !slots[slot].isNone { body(slots[slot]) } }

    @inline(never)
    private mutating func grow() {
        var larger = FingerprintTable(expecting: (mask + 1) * 7 / 4)
        forEach { _ = larger.insert($0) }
        self = larger
    }
}
