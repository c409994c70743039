/// Finds what a misspelt name was perhaps meant to be.
public enum NearestName {
    /// The candidate with the fewest edits (insert, delete, replace, swap neighbours; a letter's case counts half), the first of
    /// several; `nil` if none is near: within a third of the name's length, at least one edit and at most five.
    ///
    /// - Complexity: O(candidates × length²).
    public static func find(_ name: String, in candidates: some Sequence<String>) -> String? {
        let wanted = Array(name)
        var nearest: String?
        // In half edits.
        var least = 2 * min(max(wanted.count / 3, 1), 5) + 1
        for candidate in candidates {
            let other = Array(candidate)
            guard abs(other.count - wanted.count) * 2 < least else { continue }
            let distance = halfEdits(wanted, other)
            if distance < least {
                least = distance
                nearest = candidate
            }
        }
        return nearest
    }

    private static func halfEdits(_ a: [Character], _ b: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = (0...b.count).map { $0 * 2 }
        for i in a.indices {
            var row = [(i + 1) * 2]
            row.reserveCapacity(b.count + 1)
            for j in b.indices {
                let replace = a[i] == b[j] ? 0 : a[i].lowercased() == b[j].lowercased() ? 1 : 2
                var cost = min(last[j] + replace, last[j + 1] + 2, row[j] + 2)
                if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 2) }
                row.append(cost)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }
}
