import TrackingEvents

@testable import Funnels

/// Random definitions of every kind over the events of ``HostileLines``.
struct RandomQuestions {
    var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// A step with names, tests of events and of sessions, and properties that nothing has.
    mutating func pattern() -> String {
        let name = pick(["a", "b", "c", "d", "(a | b)", "*", "nobody", "\"b\\\"q\""])
        let tests = [
            "price>=50", "price=10.0", "sku=A1", "sku!=a1", "sku~Ü", "order.ID<3", "order.deep.x=1", "Price>4", "k3=1", "a.b=1", "pric=1",
            "order.deep.z=1", "session.app=x", "session.os.name~Lin", "session.os.nam=Linux",
        ]
        return name + (chance(45) ? "[\(pick(tests))\(chance(15) ? ", \(pick(tests))" : "")]" : "")
    }

    mutating func place() -> (path: [String], PropertySource) {
        pick([
            (["price"], .event), (["sku"], .event), (["order", "ID"], .event), (["nowhere"], .event), (["order", "deep"], .event),
            (["app"], .session), (["os", "name"], .session),
        ])
    }

    mutating func definition() -> FunnelDefinition? {
        let count = pick([1, 2, 2, 3, 4])
        var steps = (0..<count).map { _ in pattern() }
        if count > 2 && chance(20) { steps[1] += "?" }
        var saved = SavedFunnel(steps: (try? FunnelStep.parse(steps.joined(separator: " > "))) ?? [])
        saved.window = Int64(pick([0, 1000, 60_000, 86_400_000]))
        let place = place()
        saved.key = pick([.user, .user, .session, .system, place.1 == .event ? .property(place.path) : .context(place.path)])
        saved.order = pick([.ordered, .ordered, .ordered, .strict, .any])
        if chance(15) { saved.counting = .attempts }
        if chance(15) { saved.hold = pick([["sku"], ["price"], ["nowhere"]]) }
        if chance(25), let exclusion = try? FunnelExclusion.parse((chance(30) ? "!" : "") + pattern()) { saved.exclusions = [exclusion] }
        if chance(40) {
            let (path, place) = self.place()
            saved.breakdown = FunnelBreakdown(
                path: path, in: place, attribution: pick([.first, .last, .all, .step(count)]), top: pick([1, 2, 10]))
        }
        if chance(10) { saved.compat = .clickhouse(pick([[], [.order], [.increase]])) }
        if chance(15) { saved.identify = false }
        var definition = try? saved.definition(
            since: chance(10) ? 1_767_225_700_000 : nil, until: chance(10) ? 1_767_225_900_000 : nil)
        if chance(30) { definition?.starts = .mature }
        return definition
    }

    mutating func definitions(_ count: Int) -> [FunnelDefinition] {
        var all: [FunnelDefinition] = []
        while all.count < count { if let definition = definition() { all.append(definition) } }
        return all
    }
}
