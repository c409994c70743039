import EventFiles

/// Numbers fingerprints in the order they come.
struct FingerprintNumbers: Sendable {
    private(set) var all: [Fingerprint] = []
    /// Open addressing with linear steps: a fingerprint's number + 1, or 0.
    private var slots: [UInt32]

    /// - Parameter count: about how many there will be.
    init(expecting count: Int = 64) {
        var capacity = 64
        while capacity < count * 2 { capacity *= 2 }
        slots = Array(repeating: 0, count: capacity)
    }

    init(_ fingerprints: some Collection<Fingerprint>) {
        self.init(expecting: fingerprints.count)
        for fingerprint in fingerprints { _ = number(of: fingerprint) }
    }

    /// Numbers of keys, where 0 stands for no key.
    static var keys: FingerprintNumbers {
        var keys = FingerprintNumbers()
        _ = keys.number(of: .none)
        return keys
    }

    /// The number of a fingerprint; a new fingerprint gets the largest number so far + 1.
    @inline(__always)
    mutating func number(of fingerprint: Fingerprint) -> Int {
        let slot = slot(of: fingerprint)
        return slots[slot] != 0 ? Int(slots[slot]) - 1 : add(fingerprint, at: slot)
    }

    /// Gives a fingerprint a new number without a look-up, for callers that bring each fingerprint once. 0 for ``Fingerprint/none``.
    mutating func append(_ fingerprint: Fingerprint) -> UInt32 {
        if !fingerprint.isNone { all.append(fingerprint) }
        return fingerprint.isNone ? 0 : UInt32(all.count - 1)
    }

    mutating func numbers(of fingerprints: [Fingerprint]) -> [UInt32] { fingerprints.map { UInt32(number(of: $0)) } }

    /// For each number, the number of the user that its anonymous id belongs to; any other number stays as it is.
    mutating func owners(_ identities: Identities) -> [UInt32] {
        let joined = identities.joined
        var owners = all.indices.map { UInt32($0) }
        for number in owners.indices { if let user = joined[all[number]] { owners[number] = UInt32(self.number(of: user)) } }
        return owners + (owners.count..<all.count).map { UInt32($0) }
    }

    /// The number of a fingerprint; `nil` if it has none.
    func known(_ fingerprint: Fingerprint) -> Int? {
        let slot = slot(of: fingerprint)
        return slots[slot] != 0 ? Int(slots[slot]) - 1 : nil
    }

    /// Where a fingerprint's number stands, or would stand.
    @inline(__always)
    private func slot(of fingerprint: Fingerprint) -> Int {
        var slot = Int(truncatingIfNeeded: fingerprint.low) & (slots.count - 1)
        while slots[slot] != 0, all[Int(slots[slot]) - 1] != fingerprint { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    private mutating func add(_ fingerprint: Fingerprint, at slot: Int) -> Int {
        all.append(fingerprint)
        slots[slot] = UInt32(all.count)
        var room = slots.count
        // Fingerprints that were only appended enter the table here. They may be many times what it has room for.
        while all.count * 2 > room { room *= 2 }
        if room > slots.count {
            slots = Array(repeating: 0, count: room)
            for (number, fingerprint) in all.enumerated() { slots[self.slot(of: fingerprint)] = UInt32(number + 1) }
        }
        return all.count - 1
    }
}
