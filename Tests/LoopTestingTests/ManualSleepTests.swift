import LoopCore
import LoopTesting
import Testing

/// ``ManualClock``: who sleeps, until when, and who is woken.
@MainActor @Suite struct ManualSleepTests {
    private final class Journal {
        var lines: [String] = []
    }

    private func sleeper(_ clock: ManualClock, _ seconds: Int, _ name: String, _ journal: Journal) async -> Task<Void, Never> {
        let count = clock.sleeperCount
        let task = Task {
            do {
                // Not `sleep(for:)`: the standard library's version goes on on another thread, where no order is promised.
                try await clock.sleep(until: clock.now.advanced(by: .seconds(seconds)))
                journal.lines.append(name)
            } catch { journal.lines.append("\(name) cancelled") }
        }
        await clock.whenSleeping(count + 1)
        return task
    }

    @Test func `a clock stands still until it is moved`() async {
        let clock = ManualClock()
        let began = clock.now
        #expect(clock.now == began)
        clock.advance(by: .milliseconds(1_500))
        #expect(began.duration(to: clock.now) == .milliseconds(1_500))
        #expect(clock.now.advanced(by: .seconds(1)) > clock.now)
        #expect(clock.now.duration(to: clock.now.advanced(by: .milliseconds(500))) == .milliseconds(500))
    }

    @Test func `a sleeper is woken when the clock gets there, not before`() async {
        let clock = ManualClock()
        let journal = Journal()
        let task = await sleeper(clock, 10, "a", journal)
        clock.advance(by: .seconds(9))
        for _ in 0..<20 { await Task.yield() }
        #expect(journal.lines.isEmpty && clock.sleeperCount == 1)
        clock.advance(by: .seconds(1))
        await task.value
        #expect(journal.lines == ["a"] && clock.sleeperCount == 0)
    }

    @Test func `several sleepers are woken in the order of their times, and equal ones in the order of sleeping`() async {
        let clock = ManualClock()
        let journal = Journal()
        var tasks: [Task<Void, Never>] = []
        for (seconds, name) in [(3, "c"), (1, "a"), (2, "b1"), (2, "b2"), (9, "late")] {
            tasks.append(await sleeper(clock, seconds, name, journal))
        }
        #expect(clock.sleeperCount == 5)
        clock.advance(by: .seconds(5))
        for task in tasks.dropLast() { await task.value }
        #expect(journal.lines == ["a", "b1", "b2", "c"])
        #expect(clock.sleeperCount == 1)
        tasks[4].cancel()
        await tasks[4].value
    }

    @Test(arguments: [[true, true, true], [false, false, false], [false, true, false, true], [true, false, false, true]])
    func `one move wakes every sleeper that is due, and delayed events come in the order of their times`(isDelay: [Bool]) async {
        enum Event: Equatable { case begin, slept(Int) }
        let clock = ManualClock()
        let base: any Clock<Duration> = clock
        let system = System<[Int], Event>(
            initialState: [], clock: clock.clock,
            reducer: Reducer { state, event in
                switch event {
                case .begin:
                    return .merge(
                        isDelay.enumerated().map { index, isDelay in
                            if isDelay { return .event(.slept(index)).delayed(by: .seconds(index + 1)) }
                            return .run {
                                try await base.sleep(for: .seconds(index + 1))
                                return .slept(index)
                            }
                        })
                case .slept(let index):
                    state.append(index)
                    return .none
                }
            })
        system.start()
        for round in 1...50 {
            system.send(.begin)
            await clock.whenSleeping(isDelay.count)
            clock.advance(by: .seconds(9))
            await system.settled()
            // The standard library's `sleep(for:)` goes on on another thread, where no order is promised.
            let came = system.state.suffix(isDelay.count)
            #expect((isDelay.allSatisfy(\.self) ? Array(came) : came.sorted()) == Array(isDelay.indices))
            #expect(system.state.count == round * isDelay.count)
        }
    }

    @Test func `a time that is past costs no sleep`() async throws {
        let clock = ManualClock()
        clock.advance(by: .seconds(5))
        try await clock.sleep(until: clock.now)
        try await clock.sleep(for: .zero)
        #expect(clock.sleeperCount == 0)
    }

    @Test func `a task that is cancelled sleeps no more`() async {
        let clock = ManualClock()
        let journal = Journal()
        let task = await sleeper(clock, 10, "a", journal)
        task.cancel()
        await task.value
        #expect(journal.lines == ["a cancelled"] && clock.sleeperCount == 0)
        clock.advance(by: .seconds(20))
        #expect(journal.lines == ["a cancelled"])
    }

    @Test func `a task that is cancelled before it sleeps does not begin to`() async {
        let clock = ManualClock()
        let task = Task { () -> Bool in
            while !Task.isCancelled { await Task.yield() }
            do {
                try await clock.sleep(for: .seconds(1))
                return false
            } catch { return error is CancellationError }
        }
        task.cancel()
        #expect(await task.value)
        #expect(clock.sleeperCount == 0)
    }

    @Test func `waiting for sleepers ends when the waiting task is cancelled`() async {
        let clock = ManualClock()
        let task = Task { await clock.whenSleeping(3) }
        for _ in 0..<5 { await Task.yield() }
        task.cancel()
        await task.value
        let cancelled = Task {
            while !Task.isCancelled { await Task.yield() }
            await clock.whenSleeping()
        }
        cancelled.cancel()
        await cancelled.value
        #expect(clock.sleeperCount == 0)
    }

    @Test func `a manual clock stands in for any clock`() async throws {
        let clock = ManualClock()
        let began = clock.now
        let other: any Clock<Duration> = clock
        let task = Task { try await other.sleep(for: .seconds(1)) }
        await clock.whenSleeping()
        clock.advance(by: .seconds(1))
        try await task.value
        #expect(began.duration(to: clock.now) == .seconds(1))
    }

    @Test func `many threads sleep, are cancelled and woken, and none is forgotten`() async {
        let clock = ManualClock()
        let woken = await withTaskGroup(of: Bool.self) { group in
            for number in 1...500 {
                group.addTask {
                    do {
                        try await clock.sleep(for: .milliseconds(number % 7 + 1))
                        return true
                    } catch { return false }
                }
            }
            await clock.whenSleeping(500)
            clock.advance(by: .milliseconds(3))
            var woken = 0
            // Sleepers of 1, 2 and 3 milliseconds are woken, and no others until they are cancelled.
            let due = (1...500).count { $0 % 7 + 1 <= 3 }
            for _ in 0..<due where await group.next() == true { woken += 1 }
            group.cancelAll()
            for await wasWoken in group where wasWoken { woken += 1 }
            return woken == due
        }
        #expect(woken)
        #expect(clock.sleeperCount == 0)
    }
}
