import EventFiles
import TestSupport
import Testing
import TrackingEvents

@testable import Funnels
@testable import Reports

/// Whatever is asked, the row of a period is the funnel with `--since` and `--until` at its ends.
@Suite("A trend's rows are funnels", .enabled(if: TestZones.areExpected))
struct TrendRowsTests {
    private struct Event {
        var name: String
        var time: Int64
        var user: String
        var plan: String
    }

    /// UTC, zones that change their clocks soon after the given time, by an hour or half an hour, and zones off the full hour.
    private static let zones: [(String, Int64)] = [
        ("UTC", 1_774_700_000_000), ("Europe/Berlin", 1_774_700_000_000), ("Australia/Lord_Howe", 1_775_250_000_000),
        ("Australia/Lord_Howe", 1_759_500_000_000), ("Asia/Kolkata", 1_774_700_000_000), ("America/St_Johns", 1_772_900_000_000),
        ("Asia/Kathmandu", 1_774_700_000_000), ("America/Havana", 1_761_900_000_000),
    ]

    private static func rules(_ name: String) throws -> TimeZoneRules { name == "UTC" ? .utc : try TestZones.zone(name) }

    /// A random definition of any kind.
    private func definition(_ random: inout SeededRandom) throws -> FunnelDefinition {
        let texts = ["a > b", "a > b > c", "a > b? > c", "(a | b) > a > c", "a > a > b", "a", "* > c"]
        let steps = try FunnelStep.parse(texts.randomElement(using: &random)!)
        let window = Int64([30, 60, 300, 1500, 2900].randomElement(using: &random)!) * 60_000
        let isPlain = !steps.contains(where: \.isOptional)
        let breakdown: FunnelBreakdown? =
            switch Int.random(in: 0..<7, using: &random) {
            case 0: FunnelBreakdown(path: ["plan"])
            case 1: FunnelBreakdown(path: ["plan"], attribution: .last, top: 1)
            case 2: FunnelBreakdown(path: ["plan"], attribution: .all)
            case 3: FunnelBreakdown(path: ["plan"], attribution: .step(1))
            default: nil
            }
        func exclusions(_ texts: [String]) throws -> [FunnelExclusion] { try texts.map { try FunnelExclusion.parse($0) } }
        var definition =
            switch Int.random(in: 0..<9, using: &random) {
            case 0: try FunnelDefinition(steps: steps, windowMilliseconds: window, order: .strict, breakdown: breakdown)
            case 1 where isPlain: try FunnelDefinition(steps: steps, windowMilliseconds: window, order: .any, breakdown: breakdown)
            case 2: try FunnelDefinition(steps: steps, windowMilliseconds: window, counting: .attempts, breakdown: breakdown)
            case 3: try FunnelDefinition(steps: steps, windowMilliseconds: window, exclusions: exclusions(["x"]), breakdown: breakdown)
            case 4: try FunnelDefinition(steps: steps, windowMilliseconds: window, exclusions: exclusions(["!x"]), breakdown: breakdown)
            case 5: try FunnelDefinition(steps: steps, windowMilliseconds: window, hold: ["plan"], breakdown: breakdown)
            case 6:
                try FunnelDefinition(steps: steps, windowMilliseconds: window, stepWindowMilliseconds: window / 3, breakdown: breakdown)
            case 7 where isPlain:
                try FunnelDefinition(steps: steps, windowMilliseconds: window, breakdown: breakdown, compat: .clickhouse([.order]))
            default: try FunnelDefinition(steps: steps, windowMilliseconds: window, breakdown: breakdown)
            }
        definition.starts = Bool.random(using: &random) ? .mature : .all
        return definition
    }

    private func accumulator(_ definition: FunnelDefinition, _ events: [Event]) -> FunnelAccumulator {
        let plan = CompiledFunnel([definition])
        var accumulator = FunnelAccumulator(plan)
        var batch = FunnelBatch(plan, expecting: events.count)
        for event in events {
            let (name, user, props) = (Array(event.name.utf8), Array(event.user.utf8), Array(#"{"plan":"\#(event.plan)"}"#.utf8))
            name.withUnsafeBytes { name in
                user.withUnsafeBytes { user in
                    props.withUnsafeBytes { props in
                        var head = EventHead(time: event.time, name: name)
                        head.user = user
                        head.properties = EventProperties(props)
                        batch.take(head)
                    }
                }
            }
        }
        accumulator.take(batch)
        return accumulator
    }

    @Test("a row is its period's funnel in every order, zone and unit, with open starts and without", arguments: 0..<(isNight ? 10 : 3))
    func rows(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(500 + seed))
        var (rows, several) = (0, 0)
        let rounds = isNight ? 100 : 40
        for _ in 0..<rounds {
            let (name, start) = Self.zones.randomElement(using: &random)!
            let zone = try Self.rules(name)
            var definition = try definition(&random)
            let events = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                Event(
                    name: ["a", "b", "c", "x"].randomElement(using: &random)!,
                    time: start + .random(in: 0...5760, using: &random) * 60_000 / 3, user: "u\(Int.random(in: 0..<4, using: &random))",
                    plan: ["pro", "free", ""].randomElement(using: &random)!)
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                definition = try definition.with(since: start + 20_000_000, until: start + 90_000_000)
            }
            let unit: CalendarUnit = Int.random(in: 0..<3, using: &random) == 0 ? .hour : .day
            let (result, trend) = accumulator(definition, events).trends(ReadResult(), of: FunnelRun([definition])) {
                unit.period(of: $0, in: zone)
            }[0]
            #expect(
                result == accumulator(definition, events).trends(ReadResult(), of: FunnelRun([definition]), period: nil)[0].result
                    && trend.whole == result)
            for point in trend.points {
                let period = unit.period(of: point.startMilliseconds, in: zone)
                #expect(period.lowerBound == point.startMilliseconds)
                let since = max(definition.since ?? .min, period.lowerBound)
                let until = min(definition.until ?? .max, period.upperBound)
                let row = accumulator(try definition.with(since: since, until: until), events).trends(
                    ReadResult(), of: FunnelRun([definition]), period: nil)[0].result
                let isSame =
                    point.steps == row.steps && point.groups == row.groups && point.entered == row.entered
                    && point.converted == row.converted && point.windowOpen == row.windowOpen && point.leftOut == row.mature.leftOut
                #expect(isSame, "\(definition) \(events) \(point) \(row)")
                if !isSame { return }
                rows += 1
                if point.converted > 1 { several += 1 }
            }
            let started = trend.points.reduce(0) { $0 + $1.entered }
            #expect(started >= trend.whole.entered)
        }
        #expect(rows > rounds * 3 / 2 && several > 0)
    }

    @Test("periods follow each other without a gap", arguments: 0..<8)
    func periods(place: Int) throws {
        let (name, start) = Self.zones[place]
        let zone = try Self.rules(name)
        for unit in CalendarUnit.allCases {
            var time = unit.start(of: start, in: zone)
            while time < start + 6 * 86_400_000 {
                let period = unit.period(of: time, in: zone)
                #expect(period.lowerBound == time && unit.next(after: time, in: zone) == period.upperBound)
                for within in [period.lowerBound, period.upperBound - 1, (period.lowerBound + period.upperBound) / 2] {
                    #expect(unit.period(of: within, in: zone) == period, "\(name) \(unit) \(within)")
                }
                time = period.upperBound
            }
        }
    }
}
