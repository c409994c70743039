import EventFiles

/// The forks of the question why: what each had, and whether it went on.
struct WhyTable {
    struct Fork {
        var user: Fingerprint
        var time: Int64
        var isConverted: Bool
        /// The items that it had (events by name, values of properties), by rising number, and how often each event came; 0 for a value.
        var had: [(item: UInt32, times: UInt32)]
        /// How many other events came before it.
        var eventsBefore: Int
    }

    /// For each item the number of its property's path; `nil` for an event.
    let paths: [Int?]
    /// In the order of users, which files and threads do not change.
    let forks: [Fork]
    let converted: Int
    /// For each fork the numbers of its user and, once they are known, of its day.
    let users: [Int]
    private(set) var days: [Int] = []
    private(set) var dayCount = 0
    /// For each item the forks that have it.
    private(set) var forksOf: [[UInt32]]
    /// For each user how many forks went on, and how many did not.
    let ofUsers: [(converted: Int, dropped: Int)]
    /// Over all users the sums of squares of these numbers, and of their products.
    private let squares: (converted: Int, dropped: Int, both: Int)

    init(_ forks: [Fork], paths: [Int?]) {
        self.paths = paths
        let forks = forks.sorted { ($0.user.high, $0.user.low, $0.time) < ($1.user.high, $1.user.low, $1.time) }
        self.forks = forks
        converted = forks.count(where: \.isConverted)
        var users = Numbering<Fingerprint>()
        self.users = forks.map { users.number(of: $0.user) }
        forksOf = paths.map { _ in [] }
        var ofUsers = users.all.map { _ in (converted: 0, dropped: 0) }
        for (number, fork) in forks.enumerated() {
            if fork.isConverted { ofUsers[self.users[number]].converted += 1 } else { ofUsers[self.users[number]].dropped += 1 }
            for (item, _) in fork.had { forksOf[Int(item)].append(UInt32(number)) }
        }
        self.ofUsers = ofUsers
        squares = ofUsers.reduce((0, 0, 0)) {
            ($0.0 + $1.converted * $1.converted, $0.1 + $1.dropped * $1.dropped, $0.2 + $1.converted * $1.dropped)
        }
    }

    mutating func numberDays(_ day: (Int64) -> Range<Int64>) {
        let starts = forks.map { day($0.time).lowerBound }
        let known = Set(starts).sorted()
        (days, dayCount) = (starts.map { start in known.partitionPoint { $0 >= start } }, known.count)
    }

    func convertedOf(_ forks: [UInt32]) -> Int { forks.count { self.forks[Int($0)].isConverted } }

    /// The variance of the logarithm of some forks' odds ratio, by the delta method with users as clusters: each fork adds ± 1/n to the sum
    /// of its user, where n is the size of its cell in the table of ``OddsRatio``.
    ///
    /// - Complexity: O(the forks), which stand by user. What all other users add follows from three sums.
    func logOddsVariance(_ forks: [UInt32], cells: [Double]) -> Double {
        let weights = cells.map { 1 / $0 }
        var (others, variance, next) = (squares, 0.0, 0)
        while next < forks.count {
            let user = users[Int(forks[next])]
            let (converted, dropped) = ofUsers[user]
            var sum = Double(dropped) * weights[3] - Double(converted) * weights[1]
            while next < forks.count, users[Int(forks[next])] == user {
                sum += self.forks[Int(forks[next])].isConverted ? weights[0] + weights[1] : -weights[2] - weights[3]
                next += 1
            }
            variance += sum * sum
            others.converted -= converted * converted
            others.dropped -= dropped * dropped
            others.both -= converted * dropped
        }
        variance += Double(others.converted) * weights[1] * weights[1] + Double(others.dropped) * weights[3] * weights[3]
        return variance - 2 * Double(others.both) * weights[1] * weights[3]
    }

    /// The strata of each fork: its day, and how many other events came before it, without those in `left`.
    func strata(withoutEvents left: Set<UInt32>) -> [[Int]] {
        let before = forks.map { fork in
            left.isEmpty ? fork.eventsBefore : fork.had.reduce(fork.eventsBefore) { left.contains($1.item) ? $0 - Int($1.times) : $0 }
        }
        return [days, before.map(Self.bin)]
    }

    /// Numbers up to 8 have a bin each; beyond, each bin ends a quarter higher than the one before.
    private static func bin(of events: Int) -> Int {
        var (bin, last) = (min(events, 8), 8)
        while last < events {
            last = last * 5 / 4
            bin += 1
        }
        return bin
    }
}

/// A least-squares fit of whether forks go on, with an indicator for each stratum held equal. A candidate's difference is then a sum over
/// its forks: with x̃ what the same indicators leave of the candidate x, d = Σx̃ỹ / Σx̃² = Σxỹ / Σx̃².
struct WhyModel {
    /// For each fork the number of its cell. Forks of one cell are alike in all that is held equal.
    private let cellOf: [Int]
    private let sizes: [Double]
    private let strata: Strata
    /// The residual of each outcome under the model, and the residuals' standard deviation.
    private var rest: [Double]
    private let spread: Double
    private let users: [Int]

    /// - Parameter strata: for each kind the number of each fork's stratum. Strata and users are numbered from 0.
    init(_ converted: [Bool], users: [Int], strata: [[Int]]) {
        var cellOf = converted.map { _ in 0 }
        for stratum in strata {
            var numbers = Numbering<Int>()
            let count = (stratum.max() ?? 0) + 1
            for fork in cellOf.indices { cellOf[fork] = numbers.number(of: cellOf[fork] * count + stratum[fork]) }
        }
        let count = (cellOf.max() ?? -1) + 1
        var sizes = Array(repeating: 0.0, count: count)
        var (sums, ofCell) = (sizes, Array(repeating: 0, count: count))
        for fork in cellOf.indices {
            sizes[cellOf[fork]] += 1
            if converted[fork] { sums[cellOf[fork]] += 1 }
            ofCell[cellOf[fork]] = fork
        }
        self.strata = Strata(strata.map { stratum in ofCell.map { stratum[$0] } }, sizes)
        (self.cellOf, self.sizes, self.users) = (cellOf, sizes, users)
        let fit = Self.fit(sums, sizes, self.strata)
        rest = converted.map { $0 ? 1 : 0 }
        var squares = 0.0
        for fork in cellOf.indices {
            rest[fork] -= fit[cellOf[fork]]
            squares += rest[fork] * rest[fork]
        }
        let rank = strata.reduce(1 - strata.count) { $0 + Set($1).count }
        spread = (squares / Double(max(converted.count - rank, 1))).squareRoot()
    }

    /// What the strata explain of each cell's share.
    private static func fit(_ sums: [Double], _ sizes: [Double], _ strata: Strata) -> [Double] {
        let shares = sums.indices.map { sums[$0] / sizes[$0] }
        var left = shares
        strata.centre(&left)
        return shares.indices.map { shares[$0] - left[$0] }
    }

    /// The difference between some forks and all others; `nil` where the strata leave nothing of it.
    ///
    /// - Parameter screen: up to this z-value the plain error is used, beyond it one with users as clusters.
    func difference(_ forks: [UInt32], screen: Double = 0) -> Estimate? {
        var (sums, whole) = (Array(repeating: 0.0, count: sizes.count), 0.0)
        for fork in forks {
            sums[cellOf[Int(fork)]] += 1
            whole += rest[Int(fork)]
        }
        let fit = Self.fit(sums, sizes, strata)
        let square = sizes.indices.reduce(0) { $0 + sums[$1] * (1 - fit[$1]) }
        guard square > 1e-6, spread > 0 else { return nil }
        let plain = Estimate(value: whole / square, error: spread / square.squareRoot(), degrees: .infinity)
        if plain.z.magnitude <= screen { return plain }
        var left = cellOf.map { -fit[$0] }
        for fork in forks { left[Int(fork)] += 1 }
        var scores = Array(repeating: 0.0, count: (users.max() ?? -1) + 1)
        for fork in left.indices { scores[users[fork]] += left[fork] * (rest[fork] - plain.value * left[fork]) }
        return Estimate(plain.value, ofUsers: scores, square: square, least: plain.error)
    }
}
