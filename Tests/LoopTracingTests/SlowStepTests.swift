import LoopCore
import LoopTesting
import LoopTracing
import Testing

@MainActor @Suite struct SlowStepTests {
    private enum Event { case quick, slow, load }
    private let time = ManualClock()

    private func system(loading: Bool = true) -> System<Int, Event> {
        let time = time
        return System(
            name: "shop", initialState: 0, clock: time.clock,
            next: { (state: Int, event: Event) -> Next<Int> in
                time.advance(by: event == .quick ? .milliseconds(1) : .milliseconds(20))
                guard event == .load else { return .state(state + 1) }
                let work = Next<Int>.run {
                    time.advance(by: .seconds(3))
                    return 7
                }
                return loading ? work.stateWhenLoading(-1) : work
            })
    }

    @Test func `only steps that held up the loop for longer are reported, with their parts and where they were sent`() throws {
        let time = time
        var reports: [SlowStep] = []
        let system = system().bind { _ in time.advance(by: .milliseconds(2)) }
            .attach(
                Middleware { _ in time.advance(by: .microseconds(500)) },
                .reportSlowSteps(over: .milliseconds(16)) { reports.append($0) })
        system.send(.quick)
        system.send(.slow)
        let report = try #require(reports.first)
        #expect(reports.count == 1)
        #expect(report.duration == 22_500_000)
        #expect(report.event == "slow" && report.number == 2 && report.system == "shop" && !report.isLoading)
        #expect(
            report.description
                == "shop: slow (2) held up the loop for 22.5 ms: reduce 20.0 ms, bindings 2.00 ms, middleware 500 µs; sent at "
                + "LoopTracingTests/SlowStepTests.swift:\(report.origin?.line ?? 0)")
    }

    @Test func `a step that takes exactly as long as it may is not slow`() {
        var reports = 0
        let system = system().attach(.reportSlowSteps(over: .milliseconds(20)) { _ in reports += 1 })
        system.send(.slow)
        #expect(reports == 0)
        system.attach(.reportSlowSteps(over: .nanoseconds(19_999_999)) { _ in reports += 1 })
        system.send(.slow)
        #expect(reports == 1)
    }

    @Test(arguments: [true, false]) func `asynchronous work holds nothing up, and the reducer counts once`(loading: Bool) async {
        var reports: [SlowStep] = []
        let system = system(loading: loading).attach(.reportSlowSteps(over: .milliseconds(16)) { reports.append($0) })
        system.send(.load)
        await system.settled()
        #expect(reports.map(\.isLoading) == [loading])
        #expect(reports.first?.duration == 20_000_000)
    }

    @Test func `waiting is told and not counted`() async {
        var reports: [SlowStep] = []
        let system = system().attach(.reportSlowSteps(over: .milliseconds(16)) { reports.append($0) })
        system.send(.load)
        system.send(.quick)
        system.send(.slow)
        await system.settled()
        #expect(reports.map(\.event) == ["load", "slow"])
        #expect(reports.last?.description.contains("; waited 3.00 s before") == true)
    }

    @Test func `a negative limit reports every step, and what is sent from a report is taken later`() {
        var numbers: [Int] = []
        let system = system()
        system.attach(
            .reportSlowSteps(over: .nanoseconds(-1)) { [unowned system] report in
                if report.number < 3 { system.send(.quick) }
                numbers.append(report.number)
            })
        system.send(.quick)
        #expect(numbers == [1, 2, 3])
    }

    @Test func `asks for times only`() {
        #expect(Middleware<Int, Event>.reportSlowSteps(over: .seconds(1)) { _ in }.needs == [.timing, .middlewareTime])
    }
}
