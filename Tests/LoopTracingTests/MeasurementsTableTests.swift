import LoopCore
import LoopMigration
import LoopTesting
import LoopTracing
import Testing

private enum Move { case load, leave, fail }
private struct Broken: Error {}

@MainActor @Suite struct MeasurementsTableTests {
    let time = ManualClock()
    let measurements = Measurements()

    private func system(_ name: String? = nil, reduce: Duration = .zero) -> System<Int, Move> {
        let time = time
        return System(
            name: name, initialState: 0, clock: time.clock,
            next: { (n: Int, move: Move) -> Next<Int> in
                time.advance(by: reduce)
                switch move {
                case .load:
                    return .run {
                        time.advance(by: .milliseconds(2))
                        return n + 1
                    }
                case .leave: return .state(n)
                case .fail: return .run { throw Broken() }
                }
            }
        ).attach(.measure(into: measurements))
    }

    @Test func `the description of a name's events is one line`() async {
        let system = system("shop", reduce: .nanoseconds(40))
        for move in [Move.leave, .load, .fail] { system.send(move) }
        await system.settled()
        #expect(
            measurements.events.map(\.description) == [
                "shop: leave: 1 event, total p50 40 ns, p99 40 ns, max 40 ns",
                "shop: load: 1 event, total p50 2.00 ms, p99 2.00 ms, max 2.00 ms",
                "shop: fail: 1 event, 1 failed, total p50 2.00 ms, p99 2.00 ms, max 2.00 ms",
            ])
        #expect("\(LatencyHistogram())" == "0 values")
        #expect(measurements.event("leave", system: "shop").map { "\($0[.reduce])" } == "1 value, p50 40 ns, p99 40 ns, max 40 ns")
    }

    @Test func `the table shows each phase that took time, the event with the most time first`() async {
        let system = system(reduce: .nanoseconds(40))
        for _ in 0..<3 { system.send(.leave) }
        system.send(.load)
        await system.settled()
        #expect(
            measurements.table() == """
                event  phase   count      p50      p90      p99      max     mean
                load   reduce      1    40 ns    40 ns    40 ns    40 ns    40 ns
                       effect      1  2.00 ms  2.00 ms  2.00 ms  2.00 ms  2.00 ms
                       total       1  2.00 ms  2.00 ms  2.00 ms  2.00 ms  2.00 ms
                leave  reduce      3    40 ns    40 ns    40 ns    40 ns    40 ns
                       total       3    40 ns    40 ns    40 ns    40 ns    40 ns

                """)
    }

    @Test func `the table shows only the phases asked for`() {
        system(reduce: .nanoseconds(40)).send(.leave)
        #expect(
            measurements.table([.total]) == """
                event  phase  count    p50    p90    p99    max   mean
                leave  total      1  40 ns  40 ns  40 ns  40 ns  40 ns

                """)
    }

    @Test func `an event that took no time still has its total`() {
        system().send(.leave)
        #expect(
            measurements.table() == """
                event  phase  count   p50   p90   p99   max  mean
                leave  total      1  0 ns  0 ns  0 ns  0 ns  0 ns

                """)
    }

    @Test func `the table has columns for systems, failed and cancelled events if there are any`() async {
        let shop = system("shop", reduce: .nanoseconds(40))
        shop.send(.fail)
        await shop.settled()
        shop.send(.load)
        shop.stop()
        let lines = measurements.table([.total]).split(separator: "\n")
        #expect(lines[0] == "system  event  phase  count    p50    p90    p99    max   mean  failed  cancelled")
        #expect(lines[1] == "shop    fail   total      1  40 ns  40 ns  40 ns  40 ns  40 ns       1          0")
        #expect(lines[2] == "shop    load   total      0                                          0          1")
        #expect(lines.count == 3)
    }

    @Test func `the table groups the digits of large counts`() {
        let system = system()
        for _ in 0..<12_345 { system.send(.leave) }
        #expect(measurements.table().contains("  12,345  "))
    }

    @Test func `a time as long as can be counted has its row, too`() {
        Measured.note("leave", reduce: .max, in: measurements)
        #expect(measurements.table([.total]).split(separator: " ").count { $0 == "18,446,744,074" } == 5)
    }

    @Test func `the table has only headings before the first event`() {
        #expect(measurements.table() == "event  phase  count  p50  p90  p99  max  mean\n")
    }

    @Test func `a name with control characters does not break the line`() {
        struct Odd: NamedEvent { let eventName = "a\n\u{1B}[2Jb" }
        let reduce = Middleware<Int, Odd>.measure(into: measurements).wrapping { (n: Int, _: Odd) in n }
        _ = reduce(0, Odd())
        let table = measurements.table([.total])
        #expect(table.contains("a\\n\\u{1B}[2Jb"))
        #expect(table.split(separator: "\n").count == 2)
    }
}
