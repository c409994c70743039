/// Numbers every value of a column, so that a dictionary can stand for them.
struct NumberTable {
    /// The bits of each different value, in the order they came.
    private(set) var values: [UInt64] = []
    /// Each value's code among them.
    private(set) var codes: [UInt32] = []

    /// `nil` if so many values are different that a dictionary does not pay.
    init?(_ bits: some Collection<UInt64>) {
        let most = min(bits.count / 4 + 16, 1 << 16)
        var slots = [UInt32](repeating: 0, count: 64)
        codes.reserveCapacity(bits.count)
        for value in bits {
            var slot = Self.slot(of: value, slots.count)
            while slots[slot] != 0, values[Int(slots[slot]) - 1] != value { slot = (slot + 1) & (slots.count - 1) }
            if slots[slot] == 0 {
                if values.count == most { return nil }
                values.append(value)
                slots[slot] = UInt32(values.count)
                if values.count * 2 > slots.count {
                    slots = [UInt32](repeating: 0, count: slots.count * 2)
                    for (number, value) in values.enumerated() {
                        var slot = Self.slot(of: value, slots.count)
                        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
                        slots[slot] = UInt32(number + 1)
                    }
                    codes.append(UInt32(values.count - 1))
                    continue
                }
            }
            codes.append(slots[slot] - 1)
        }
    }

    private static func slot(of value: UInt64, _ count: Int) -> Int {
        let (high, low) = value.multipliedFullWidth(by: 0x9B05_688C_2B3E_6C1F)
        return Int(truncatingIfNeeded: high ^ low) & (count - 1)
    }
}
