import Basics
import LoopCore
import ShopDemo
import TestSupport
import Testing
import TrackingEvents

/// What the demo's four weeks have to tell: reports that do not find it have a fault of their own.
@Suite(.serialized) struct ShopStoryTests {
    /// One session: who came, and how far.
    private struct Visit {
        var context: TrackingProperties = [:]
        var user = ""
        var start: Int64 = .max
        var names: Set<String> = []

        func has(_ key: String, _ value: String) -> Bool { context[key] == .string(value) }
    }

    private final class Collector: TrackingSink {
        private let visits = Lock<[String: Visit]>([:])

        func flush() async throws -> FlushReceipt { FlushReceipt() }

        func record(_ event: StampedEvent) {
            visits.withLock { visits in
                var visit = visits[event.session ?? "", default: Visit()]
                if event.kind == .meta {
                    if event.event.name == MetaEventName.sessionStarted { visit.context = event.event.properties }
                } else {
                    visit.names.insert(event.event.name)
                }
                visit.user = event.user ?? ""
                visit.start = min(visit.start, event.timeMilliseconds)
                visits[event.session ?? ""] = visit
            }
        }

        var all: [Visit] { visits.withLock { Array($0.values) } }
    }

    /// Simulated once for all tests.
    private static let visits = Task {
        let sink = Collector()
        _ = await ShopSimulation(population: .demo(run: 0, shoppers: isNight ? 3_000 : 1_200), sink: sink).run()
        return sink.all
    }

    /// Of those at the checkout the share that paid.
    private static func paid(_ visits: [Visit], where isWanted: (Visit) -> Bool) -> Double {
        let atCheckout = visits.filter { isWanted($0) && $0.names.contains("checkout_started") }
        return Double(atCheckout.count { $0.names.contains("payment_succeeded") }) / Double(atCheckout.count)
    }

    private static func day(_ number: Int64) -> Int64 { ShopPopulation.start + (number - 1) * ShopPopulation.dayMilliseconds }

    @Test func `version 2.1.0 on iOS loses payments from day 15 on, coupons help, members come back`() async {
        let visits = await Self.visits.value
        let keys = ["app", "app_version", "platform", "country", "plan"]
        #expect(visits.allSatisfy { visit in keys.allSatisfy { visit.context[$0] != nil } })
        for (key, values) in [
            ("platform", ["ios", "android", "web"]), ("app_version", ["2.0.0", "2.0.1", "2.1.0"]), ("plan", ["free", "plus"]),
            ("country", ["DE", "US", "FR", "GB", "JP"]),
        ] {
            for value in values { #expect(visits.contains { $0.has(key, value) }, "\(key) \(value)") }
        }
        // The fault.
        #expect(visits.allSatisfy { !$0.has("app_version", "2.1.0") || $0.start >= Self.day(15) })
        let broken = Self.paid(visits) { $0.has("app_version", "2.1.0") && $0.has("platform", "ios") }
        let others = Self.paid(visits) { !$0.has("app_version", "2.1.0") || !$0.has("platform", "ios") }
        let newElsewhere = Self.paid(visits) { $0.has("app_version", "2.1.0") && !$0.has("platform", "ios") }
        let iosBefore = Self.paid(visits) { !$0.has("app_version", "2.1.0") && $0.has("platform", "ios") }
        #expect(broken < others - 0.4)
        #expect(abs(newElsewhere - others) < 0.1 && abs(iosBefore - others) < 0.1)
        // Coupons.
        let healthy = visits.filter { !($0.has("app_version", "2.1.0") && $0.has("platform", "ios")) }
        let with = Self.paid(healthy) { $0.names.contains("coupon_applied") }
        #expect(with > Self.paid(healthy) { !$0.names.contains("coupon_applied") } + 0.04)
        // Members.
        func visitsEach(_ plan: String) -> Double {
            let theirs = visits.filter { $0.has("plan", plan) }
            return Double(theirs.count) / Double(Set(theirs.map(\.user)).count)
        }
        #expect(visitsEach("plus") > visitsEach("free") * 1.3)
    }

    @Test func `a new version reaches most apps within two weeks, and few at once`() async {
        let apps = await Self.visits.value.filter { !$0.has("platform", "web") }
        func adoption(onDay day: Int64) -> Double {
            let visits = apps.filter { (Self.day(day)..<Self.day(day + 1)).contains($0.start) }
            return Double(visits.count { $0.has("app_version", "2.1.0") }) / Double(visits.count)
        }
        #expect(adoption(onDay: 15) < 0.2)
        #expect((0.25...0.45).contains(adoption(onDay: 19)))
        #expect((0.65...0.85).contains(adoption(onDay: 22)))
        #expect((0.75...0.95).contains(adoption(onDay: 28)))
    }

    @Test func `a customer stays on one device, in one country, and never goes back to an older version`() async {
        for (_, visits) in Dictionary(grouping: await Self.visits.value, by: \.user) {
            let inOrder = visits.sorted { $0.start < $1.start }
            for key in ["platform", "country", "plan"] { #expect(inOrder.allSatisfy { $0.context[key] == inOrder[0].context[key] }) }
            let versions = inOrder.map { visit -> String in
                if case .string(let version)? = visit.context["app_version"] { version } else { "" }
            }
            #expect(versions == versions.sorted())
        }
    }
}
