import EventFiles

/// Numbers texts in the order they come: the event names of a batch, a breakdown's values, keys.
struct NameTable {
    /// The bytes of each name.
    private(set) var names: [[UInt8]] = []
    private var fingerprints: [Fingerprint] = []
    /// Open addressing with linear steps: number + 1, or 0.
    private var slots = [UInt32](repeating: 0, count: 128)
    private var last = 0

    /// The number of a name; of one that is new, the largest so far and 1.
    @inline(__always)
    mutating func number(of name: UnsafeRawBufferPointer) -> Int {
        let fingerprint = Fingerprint.of(name)
        if last < fingerprints.count && fingerprints[last] == fingerprint { return last }
        var slot = Int(truncatingIfNeeded: fingerprint.low) & (slots.count - 1)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if fingerprints[number] == fingerprint {
                last = number
                return number
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return add(name, fingerprint, at: slot)
    }

    /// The number of each of some names.
    mutating func numbers(of names: some Sequence<[UInt8]>) -> [Int] {
        names.map { name in name.withUnsafeBytes { number(of: $0) } }
    }

    /// The number of the name with this fingerprint, `nil` if there is none.
    func number(withFingerprint fingerprint: Fingerprint) -> Int? {
        var slot = Int(truncatingIfNeeded: fingerprint.low) & (slots.count - 1)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if fingerprints[number] == fingerprint { return number }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private mutating func add(_ name: UnsafeRawBufferPointer, _ fingerprint: Fingerprint, at slot: Int) -> Int {
        names.append(Array(name))
        fingerprints.append(fingerprint)
        slots[slot] = UInt32(names.count)
        if names.count * 2 > slots.count { grow() }
        return names.count - 1
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        for (number, fingerprint) in fingerprints.enumerated() {
            var slot = Int(truncatingIfNeeded: fingerprint.low) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(number + 1)
        }
    }
}
