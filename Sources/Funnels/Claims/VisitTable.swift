import EventFiles

/// The visits of a result, added up by user, day and group. Claims are computed from these; nothing more about people is kept.
struct VisitTable: Sendable, Hashable {
    /// The visits of one user that began on one day and belong to one group.
    struct Cell: Sendable, Hashable {
        var user: Fingerprint
        /// When the day begins, in milliseconds since 1970 UTC.
        var day: Int64
        /// The number of the group's value, 0 for none; in a result the group's index, 0 without a breakdown; or ``openGroup``.
        var group: Int
        var visits = 0
        var converted = 0
        /// How many of the visits had their group's value when they began.
        var knownAtStart = 0

        init(user: Fingerprint, day: Int64, group: Int) { (self.user, self.day, self.group) = (user, day, group) }

        init(_ visit: Visit, by user: Fingerprint, _ chain: FunnelChain, to last: Int, day: Int64, group: Int) {
            (self.user, self.day, self.group, visits) = (user, day, group, 1)
            converted = Int(chain.taken >> UInt32(last) & 1)
            knownAtStart = visit.isKnownAtStart && group != 0 ? 1 : 0
        }

        fileprivate func isAlike(_ other: Cell) -> Bool { user == other.user && day == other.day && group == other.group }
    }

    /// The group of visits that are not mature. Some of them will still convert: a group that came last would convert less than others.
    static let openGroup = -1

    private(set) var cells: [Cell] = []

    mutating func add(_ cell: Cell) {
        // Visits come key by key, so most of them go to the last cell.
        guard let last = cells.indices.last, cells[last].isAlike(cell) else { return cells.append(cell) }
        cells[last].visits += cell.visits
        cells[last].converted += cell.converted
        cells[last].knownAtStart += cell.knownAtStart
    }

    mutating func add(_ other: VisitTable) { for cell in other.cells { add(cell) } }

    /// These visits, ordered by user, day and group, so that files and threads do not change their order.
    ///
    /// - Parameter group: gives the new group of each old one.
    func sorted(_ group: (Int) -> Int = { $0 }) -> VisitTable {
        // Fingerprints are as good as random, so few share their first bits: once cells lie in buckets by these, little is left to sort.
        let bits = UInt64(max(Int.bitWidth - cells.count.leadingZeroBitCount - 1, 0))
        func bucket(_ cell: Cell) -> Int { Int(truncatingIfNeeded: cell.user.high >> (64 - bits)) }
        var next = Array(repeating: 0, count: 1 << bits + 1)
        for cell in cells { next[bucket(cell) + 1] += 1 }
        for bucket in 0..<1 << bits { next[bucket + 1] += next[bucket] }
        let all = [Cell](unsafeUninitializedCapacity: cells.count) { all, count in
            for var cell in cells {
                if cell.group != Self.openGroup { cell.group = group(cell.group) }
                all.initializeElement(at: next[bucket(cell)], to: cell)
                next[bucket(cell)] += 1
            }
            count = cells.count
            for bucket in 0..<1 << bits {
                var some = UnsafeMutableBufferPointer(rebasing: all[(bucket > 0 ? next[bucket - 1] : 0)..<next[bucket]])
                some.sort { ($0.user.high, $0.user.low, $0.day, $0.group) < ($1.user.high, $1.user.low, $1.day, $1.group) }
            }
        }
        var sorted = VisitTable()
        sorted.cells.reserveCapacity(all.count)
        for cell in all { sorted.add(cell) }
        return sorted
    }

    /// - Parameter isKnown: whether the visits have a value, and so the group 1.
    mutating func code(_ coder: inout PartialCoder, isKnown: Bool) throws(PartialError) {
        try coder.list(&cells, Cell(user: .none, day: 0, group: isKnown ? 1 : 0)) { coder, cell throws(PartialError) in
            try coder.fingerprint(&cell.user)
            try coder.signed(&cell.day)
            try coder.size(&cell.visits)
            try coder.size(&cell.converted)
            try coder.size(&cell.knownAtStart)
            try coder.require(max(cell.converted, cell.knownAtStart) <= cell.visits)
        }
    }
}

/// Numbers elements from 0; an element that comes again keeps its number.
struct Numbering<Element: Hashable & Sendable>: Sendable {
    private(set) var all: [Element] = []
    private var numbers: [Element: Int] = [:]

    mutating func number(of element: Element) -> Int {
        if let number = numbers[element] { return number }
        numbers[element] = all.count
        all.append(element)
        return all.count - 1
    }
}
