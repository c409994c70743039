import EventFiles
import TrackingEvents

@testable import Funnels

/// Made-up forks of people who differ and come again. Forks with more events before them go on more often, and have more names.
struct MadeForks {
    static let names = 8
    /// How many values each property has: the first two stay with a person, the others are drawn for each visit.
    let values: [Int]
    private(set) var forks: [WhyTable.Fork] = []

    /// - Parameter share: what to add to the logit of a fork's share; gets the values of its properties and whether it has each name.
    init(
        _ count: Int, values: [Int] = [2, 4, 2, 5], seed: UInt64, share: (_ values: [Int], _ names: [Bool]) -> Double = { _, _ in 0 }
    ) {
        self.values = values
        var made = MadeVisits(seed: seed)
        func choice(_ count: Int) -> Int { Int(made.uniform() * Double(count)) }
        let people = count / 3
        let persons = (0..<people).map { _ in (liking: made.normal(0.7), values: values.prefix(2).map(choice)) }
        let drifts = (0..<14).map { _ in made.normal(0.2) }
        for _ in 0..<count {
            let user = choice(people)
            let day = choice(14)
            let events = Int(12 * made.uniform() * made.uniform())
            var times = Array(repeating: UInt32(0), count: Self.names)
            for _ in 0..<events {
                // The higher a name's number, the rarer the name.
                times[Int(made.uniform() * made.uniform() * Double(Self.names))] += 1
            }
            let own = persons[user].values + values.dropFirst(2).map(choice)
            let logit = -0.8 + persons[user].liking + drifts[day] + 0.15 * Double(min(events, 8)) + share(own, times.map { $0 > 0 })
            var had = times.enumerated().filter { $1 > 0 }.map { (item: UInt32($0), times: $1) }
            for (path, value) in own.enumerated() { had.append((UInt32(item(path, value)), 0)) }
            forks.append(
                WhyTable.Fork(
                    user: Fingerprint(made: user),
                    time: MadeVisits.start + Int64(day) * MadeVisits.day + Int64(forks.count),
                    isConverted: made.chance(MadeVisits.share(logit)), had: had, eventsBefore: events))
        }
    }

    /// The item of a property's value.
    func item(_ path: Int, _ value: Int) -> Int { Self.names + values.prefix(path).reduce(0, +) + value }

    var table: WhyTable {
        WhyTable(
            forks,
            paths: (0..<Self.names).map { _ in nil } + values.enumerated().flatMap { path, count in (0..<count).map { _ in path } })
    }

    func findings(depth: Int = 2) throws -> [WhySearch.Finding] { try search(depth: depth).findings().found }

    func search(depth: Int) throws -> WhySearch {
        let funnel = try FunnelDefinition(steps: FunnelStep.parse("a > b"), counting: .visits)
        let table = table
        let items = table.forksOf.indices.filter { table.forksOf[$0].count >= 30 && table.forks.count - table.forksOf[$0].count >= 30 }
        return WhySearch(table, try WhyDefinition(funnel, depth: depth), items: items) { table.paths[$0].map { $0 < 2 } ?? false }
    }
}
