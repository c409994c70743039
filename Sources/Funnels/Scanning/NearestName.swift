/// Finds what a misspelt name was perhaps meant to be.
public enum NearestName {
    /// The nearest candidate, which takes the fewest edits (insert, delete, replace, swap neighbours); the first of several. Case decides
    /// only between equally near ones. A candidate is near if it takes no more edits than a third of the name's length (at least 1, at most
    /// 5). If none is near, the shortest that begins with the name or is its beginning, both of 3 characters or more. Else `nil`.
    ///
    /// - Complexity: O(candidates × length²).
    public static func find(_ name: String, in candidates: some Sequence<String>) -> String? {
        guard !name.isEmpty else { return nil }
        let wanted = Array(name.lowercased())
        var nearest: String?
        var least = 2 * min(max(wanted.count / 3, 1), 5) + 2
        for candidate in candidates {
            let other = Array(candidate.lowercased())
            guard abs(other.count - wanted.count) * 2 < least else { continue }
            let isSameCase = zip(name, candidate).allSatisfy { $0.isUppercase == $1.isUppercase }
            let distance = edits(wanted, other) * 2 + (isSameCase ? 0 : 1)
            if distance < least { (nearest, least) = (candidate, distance) }
        }
        if let nearest { return nearest }
        let beginning = candidates.filter { candidate in
            let other = Array(candidate.lowercased())
            // Shorter beginnings say nothing.
            return min(wanted.count, other.count) >= 3 && (other.starts(with: wanted) || wanted.starts(with: other))
        }
        return beginning.min { $0.count < $1.count }
    }

    private static func edits(_ a: [Character], _ b: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            row.reserveCapacity(b.count + 1)
            for j in b.indices {
                var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
                row.append(cost)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }
}
