import LoopCore
import LoopTesting
import Testing
import TrackingEvents

@Suite struct ManualClockTests {
    @Test func `stands still until it is moved`() {
        let time = ManualClock(nanoseconds: 7)
        #expect(time.clock.nanoseconds == 7)
        #expect(time.clock.nanoseconds == 7)
    }

    @Test(arguments: [
        (Duration.nanoseconds(1), 1 as UInt64), (.microseconds(3), 3_000), (.milliseconds(16), 16_000_000), (.seconds(2), 2_000_000_000),
        (.zero, 0), (.seconds(1) + .nanoseconds(5), 1_000_000_005), (.seconds(Int64.max), UInt64(Int64.max)),
    ])
    func `moves by whole nanoseconds`(duration: Duration, moved: UInt64) {
        let time = ManualClock(nanoseconds: 0)
        time.advance(by: duration)
        #expect(time.nanoseconds == moved)
    }

    @Test func `a clock taken before the move tells the time after it`() {
        let time = ManualClock(nanoseconds: 0)
        let clock = time.clock
        time.advance(by: .nanoseconds(4))
        #expect(clock.nanoseconds == 4)
    }

    @Test func `does not stand at zero, which a system takes for not measured`() {
        #expect(ManualClock().nanoseconds > 0)
    }

    @Test func `concurrent moves all count`() async {
        let time = ManualClock(nanoseconds: 0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<500 { time.advance(by: .nanoseconds(1)) } }
            }
        }
        #expect(time.nanoseconds == 4_000)
    }

    @MainActor @Test func `times the steps of a system to the nanosecond`() throws {
        let time = ManualClock()
        let recorder = StepRecorder<Int, Int>()
        let system = System(
            initialState: 0, clock: time.clock,
            reducer: { (state: inout Int, event: Int) in
                time.advance(by: .nanoseconds(event))
                state += event
            })
        system.bind { _ in time.advance(by: .nanoseconds(2)) }
        system.attach(recorder.middleware)
        system.send(40)
        let timing = try #require(recorder.steps.last?.timing)
        #expect(timing.reduce == 40)
        #expect(timing.bindings == 2)
        #expect(timing.queueWait == 0)
    }
}

@Suite struct ManualWallClockTests {
    @Test func `stands still until it is moved`() {
        let time = ManualWallClock(milliseconds: 5)
        #expect(time.clock.milliseconds == 5)
        #expect(time.clock.milliseconds == 5)
    }

    @Test func `begins with the year 2026`() {
        #expect(ManualWallClock().milliseconds == 1_767_225_600_000)
    }

    @Test(arguments: [
        (Duration.milliseconds(1), 1 as Int64), (.seconds(90), 90_000), (.seconds(-2), -2_000), (.microseconds(1_999), 1),
        (.zero, 0), (.seconds(1) + .milliseconds(500), 1_500),
    ])
    func `moves by whole milliseconds, back as well`(duration: Duration, moved: Int64) {
        let time = ManualWallClock(milliseconds: 1_000_000)
        time.advance(by: duration)
        #expect(time.milliseconds == 1_000_000 + moved)
    }
}
