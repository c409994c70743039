/// Fingerprints by open addressing: one look-up tells of any whether it is there. 9 to 18 bytes each.
struct FingerprintTable: ~Copyable {
    private var slots: UnsafeMutablePointer<UInt64>
    private var mask: Int
    private(set) var count = 0

    /// - Parameter expected: for how many there is room before it grows.
    init(expecting expected: Int = 0) {
        var capacity = 2
        while capacity * 7 < expected * 8 { capacity *= 2 }
        slots = Self.emptySlots(capacity)
        mask = capacity - 1
    }

    deinit { slots.deallocate() }

    /// Adds a fingerprint, which is never 0; says whether it is new.
    @inline(__always)
    mutating func insert(_ fingerprint: UInt64) -> Bool {
        var slot = Int(truncatingIfNeeded: fingerprint) & mask
        while slots[slot] != 0 {
            if slots[slot] == fingerprint { return false }
            slot = (slot &+ 1) & mask
        }
        slots[slot] = fingerprint
        count &+= 1
        if count &* 8 > mask &* 7 { grow() }
        return true
    }

    /// What stands where a fingerprint would: see ``FingerprintSet/touch(_:)``.
    @inline(__always)
    borrowing func firstSlot(of fingerprint: UInt64) -> UInt64 { slots[Int(truncatingIfNeeded: fingerprint) & mask] }

    private mutating func grow() {
        let largerMask = (mask + 1) * 2 - 1
        let larger = Self.emptySlots(largerMask + 1)
        for slot in 0...mask where slots[slot] != 0 {
            var place = Int(truncatingIfNeeded: slots[slot]) & largerMask
            while larger[place] != 0 { place = (place + 1) & largerMask }
            larger[place] = slots[slot]
        }
        slots.deallocate()
        (slots, mask) = (larger, largerMask)
    }

    private static func emptySlots(_ capacity: Int) -> UnsafeMutablePointer<UInt64> {
        let slots = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
        slots.initialize(repeating: 0, count: capacity)
        return slots
    }
}
