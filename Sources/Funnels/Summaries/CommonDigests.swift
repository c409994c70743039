import EventFiles
import ParquetFiles

/// The digests that several lists have in common.
///
/// The lists rise, so all are read side by side, a window of digests at a time: a table of one window lies in the processor's cache,
/// however long the lists are.
struct CommonDigests {
    /// Digests of a window, on average.
    private static let perWindow = 1 << 15

    /// For each list whether another has one of its digests.
    private(set) var lists: [Bool]
    /// Those that more than one list has, each once.
    private(set) var digests: [Int64] = []

    /// - Complexity: O(digests); memory for one window, the bytes of the lists, and what they have in common.
    init(of lists: [IDDigests]) throws(ParquetError) {
        var lists = lists
        self.lists = Array(repeating: false, count: lists.count)
        guard lists.count > 1 else { return }
        let windows = lists.reduce(0) { $0 + $1.left } / Self.perWindow + 1
        let width = (Int64(1) << Int64(IDDigests.bits)) / Int64(windows) + 1
        var table = WindowTable()
        for window in 1...Int64(windows) {
            table.removeAll()
            for list in lists.indices {
                try lists[list].append(below: window * width, to: &table.digests)
                table.ends.append(table.digests.count)
            }
            table.findCommon(&digests, &self.lists)
        }
    }
}

/// The digests of several lists in one window.
private struct WindowTable {
    /// List behind list.
    var digests: [Int64] = []
    /// Where each list's digests end.
    var ends: [Int] = []
    /// Indices of digests and 1, by open addressing; 0 is empty. The topmost bit says that the digest is known to be common.
    private var slots: [UInt32] = []
    private static let isCommon: UInt32 = 1 << 31

    mutating func removeAll() {
        digests.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// Appends each digest that two lists have, and marks all lists that have one.
    mutating func findCommon(_ found: inout [Int64], _ lists: inout [Bool]) {
        var bits: UInt64 = 4
        while 1 << bits < digests.count * 2 { bits += 1 }
        slots.removeAll(keepingCapacity: true)
        slots.append(contentsOf: repeatElement(0, count: 1 << Int(bits)))
        var owners: [Int] = []
        digests.withUnsafeBufferPointer { digests in
            slots.withUnsafeMutableBufferPointer { slots in
                let mask = slots.count - 1
                for index in digests.indices {
                    // Spreads what lies side by side (an odd factor near 2⁶⁴ ÷ φ).
                    var slot = Int(truncatingIfNeeded: (UInt64(bitPattern: digests[index]) &* 0x9E37_79B9_7F4A_7C15) &>> (64 &- bits))
                    while slots[slot] != 0, digests[Int(slots[slot] & ~Self.isCommon) &- 1] != digests[index] { slot = (slot &+ 1) & mask }
                    if slots[slot] == 0 {
                        slots[slot] = UInt32(truncatingIfNeeded: index &+ 1)
                        continue
                    }
                    owners.append(index)
                    if slots[slot] & Self.isCommon == 0 {
                        owners.append(Int(slots[slot]) - 1)
                        found.append(digests[index])
                        slots[slot] |= Self.isCommon
                    }
                }
            }
        }
        for index in owners { lists[list(of: index)] = true }
    }

    private func list(of index: Int) -> Int { ends.partitionPoint { $0 > index } }
}
