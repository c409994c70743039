/// Which elements of two short sequences correspond.
enum Alignment {
    /// The longest run of pairs, rising in both sequences, of elements that are the same.
    ///
    /// - Complexity: O(oldCount · newCount) in time and memory.
    static func matches(_ oldCount: Int, _ newCount: Int, _ isSame: (Int, Int) -> Bool) -> [(old: Int, new: Int)] {
        let width = newCount + 1
        // The length of the longest run in what follows a pair of places.
        var lengths = [Int](repeating: 0, count: (oldCount + 1) * width)
        for old in stride(from: oldCount - 1, through: 0, by: -1) {
            for new in stride(from: newCount - 1, through: 0, by: -1) {
                lengths[old * width + new] =
                    isSame(old, new)
                    ? lengths[(old + 1) * width + new + 1] + 1
                    : max(lengths[(old + 1) * width + new], lengths[old * width + new + 1])
            }
        }
        var found: [(old: Int, new: Int)] = []
        var (old, new) = (0, 0)
        while old < oldCount && new < newCount {
            if isSame(old, new) {
                found.append((old, new))
                old += 1
                new += 1
            } else if lengths[(old + 1) * width + new] >= lengths[old * width + new + 1] {
                old += 1
            } else {
                new += 1
            }
        }
        return found
    }
}
