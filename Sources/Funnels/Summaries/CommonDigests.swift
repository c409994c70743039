import EventFiles
import ParquetFiles

/// The digests that several lists have in common.
///
/// Each list is sorted, so all are read side by side, a window of digests at a time: a table of one window lies in the processor's cache.
struct CommonDigests {
    /// How many digests a window holds on average.
    private static let perWindow = 1 << 15

    /// For each list, whether another has one of its digests.
    private(set) var lists: [Bool]
    /// The digests that more than one list has, each once.
    private(set) var digests = FingerprintNumbers()

    /// - Complexity: O(digests); memory for one window, the bytes of the lists, and what they have in common.
    init(of lists: [IDDigests]) throws(ParquetError) {
        var lists = lists
        self.lists = Array(repeating: false, count: lists.count)
        guard lists.count > 1 else { return }
        let windows = lists.reduce(0) { $0 + $1.left } / Self.perWindow + 1
        let width = (Int64(1) << Int64(IDDigests.bits)) / Int64(windows) + 1
        var found: [Int64] = []
        for window in 1...Int64(windows) {
            var seen = FingerprintNumbers(expecting: Self.perWindow)
            // The list that had each digest first.
            var owners: [Int] = []
            for list in lists.indices {
                found.removeAll(keepingCapacity: true)
                try lists[list].append(below: window * width, to: &found)
                for digest in found {
                    let digest = ComparedIDs.fingerprint(digest)
                    let number = seen.number(of: digest)
                    if number == owners.count {
                        owners.append(list)
                    } else {
                        (self.lists[list], self.lists[owners[number]]) = (true, true)
                        _ = digests.number(of: digest)
                    }
                }
            }
        }
    }
}
