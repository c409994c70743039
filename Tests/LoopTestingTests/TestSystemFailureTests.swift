import Foundation
import LoopCore
import LoopLogFiles
import LoopMigration
import LoopRecording
import LoopTesting
import TestSupport
import Testing

/// Tests that must not pass: each says what is wrong, where, and goes on.
@MainActor @Suite struct TestSystemFailureTests {
    private struct Broken: Error {}

    /// Adds events to its state. State 10 starts an effect that sends 1, state 20 one that never ends, state 30 one that fails.
    private func test(_ log: FailureLog, start: Int = 0) -> TestSystem<Int, Int> {
        TestSystem(
            System<Int, Int>(
                initialState: start,
                feedbacks: [
                    .react({ _ in .event(1) }, when: { $0 == 10 }),
                    .lensing(state: { $0 == 20 ? $0 : nil }, effect: { _ in .attached { _ in {} } }),
                    .react({ _ in .run { throw Broken() } }, when: { $0 == 30 }),
                ], reducer: { $0 += $1 }), onFailure: log.recorder, patience: .milliseconds(1))
    }

    @Test func `another state than expected is shown by what differs, at the line of the call`() async throws {
        struct Shop: Equatable { var name = "Corner"; var count = 0 }
        let log = FailureLog()
        let test = TestSystem(
            System(initialState: Shop(), reducer: { (shop: inout Shop, event: Int) in shop.count += event }), onFailure: log.recorder)
        await test.send(2) { $0.count = 3 }; let line = UInt(#line)
        let failure = try #require(log.failures.first)
        #expect(failure.description == "another state was expected after 2 (expected → found): count: 3 → 2")
        #expect(failure.line == line && "\(failure.fileID)" == #fileID && "\(failure.filePath)" == #filePath)
        // The test goes on from the state that was found.
        await test.send(1) { $0.count = 3 }
        await test.finish()
        #expect(log.failures.count == 1)
    }

    @Test func `a test that fails keeps its recording and says where, and one that passes leaves nothing`() async throws {
        let folder = testFolders + "looptrail-testing-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let log = FailureLog()
        for expected in [2, 3] {
            let system = System(initialState: 0, reducer: { (state: inout Int, event: Int) in state += event })
            let test = try TestSystem(system, onFailure: log.recorder).recorded(in: folder)
            await test.send(2) { $0 = expected }
            await test.finish()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == (expected == 2 ? 0 : 1))
        }
        let path = try folder + "/" + #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
        #expect(
            log.messages == [
                "another state was expected after 2 (expected → found): 3 → 2\nThe test is recorded: `looptrail inspect \(path) -o test.html` shows it."
            ])
        let again = System(initialState: 0, reducer: { (state: inout Int, event: Int) in state += event })
        try await again.replay(try Recording(contentsOf: path))
        #expect(again.state == 2)
    }

    @Test func `a change that was expected and did not happen fails`() async {
        let log = FailureLog()
        let test = test(log)
        await test.send(0) { $0 = 1 }
        #expect(log.messages == ["another state was expected after 0 (expected → found): 1 → 0"])
    }

    @Test func `sending before receiving fails, and tells what was not received`() async {
        let log = FailureLog()
        let test = test(log)
        await test.send(10) { $0 = 10 }
        await test.send(5) { $0 = 16 }
        await test.finish()
        #expect(log.messages.count == 1)
        #expect(log.messages[0].contains("5 was sent too early") && log.messages[0].contains("  2. 1"))
    }

    @Test func `finishing before receiving fails`() async {
        let log = FailureLog()
        let test = test(log)
        await test.send(10) { $0 = 10 }
        await test.finish()
        #expect(log.messages == ["the test is finished. Steps that were not received:\n  2. 1"])
    }

    @Test func `receiving another event fails, and the test goes on behind it`() async {
        let log = FailureLog()
        let test = test(log)
        await test.send(10) { $0 = 10 }
        await test.receive(7) { $0 = 17 }
        await test.finish()
        #expect(log.messages == ["7 was expected; what came is 1."])
    }

    @Test func `receiving with another state fails`() async {
        let log = FailureLog()
        let test = test(log)
        await test.send(10) { $0 = 10 }
        await test.receive(1) { $0 = 12 }
        await test.finish()
        #expect(log.messages == ["another state was expected after 1 (expected → found): 12 → 11"])
    }

    @Test func `receiving where nothing runs fails at once`() async {
        let log = FailureLog()
        let test = TestSystem(
            System<Int, Int>(initialState: 0, reducer: { $0 += $1 }), onFailure: log.recorder, patience: .seconds(1_000_000))
        await test.receive(1)
        await test.receiveFailure(where: { _ in true })
        #expect(
            log.messages == [
                "1 was expected and nothing came; nothing runs that could bring it.",
                "a failure was expected and nothing came; nothing runs that could bring it.",
            ])
    }

    @Test(.notForever) func `patience is measured on the clock that was handed in`() async {
        let log = FailureLog()
        let watch = ManualClock()
        let system = System<Int, Int>(
            initialState: 0, feedbacks: [.always { .attached { _ in {} } }], reducer: { $0 += $1 })
        let test = TestSystem(system, onFailure: log.recorder, patience: .seconds(3_600), watch: watch)
        let receiving = Task { await test.receive(1) }
        await watch.whenSleeping()
        watch.advance(by: .seconds(3_599))
        for _ in 0..<20 { await Task.yield() }
        #expect(log.messages.isEmpty)
        watch.advance(by: .seconds(1))
        await receiving.value
        #expect(log.messages.count == 1)
        await test.finish(leaving: 1)
        #expect(log.messages.count == 1)
    }

    @Test func `receiving an event that never comes fails when patience ends`() async {
        let log = FailureLog()
        let test = test(log)
        await test.send(20) { $0 = 20 }
        await test.receive(1)
        #expect(log.messages.count == 1)
        #expect(log.messages[0].contains("effects under way: 1"))
        await test.send(1) { $0 = 21 }
        await test.finish()
        #expect(log.messages.count == 1)
    }

    @Test func `an effect that still runs at the finish fails, unless it is named or skipped`() async {
        for (sources, skips, count) in [(0, false, 1), (1, false, 0), (0, true, 0)] {
            let log = FailureLog()
            let test = test(log)
            await test.send(20) { $0 = 20 }
            if skips { test.skipEffects() }
            await test.finish(leaving: sources)
            #expect(log.messages.count == count)
            if count == 1 { #expect(log.messages[0].hasPrefix("the test is finished, but effects still run: 1, and 0 may.")) }
        }
    }

    @Test func `work that still runs at the finish fails`() async {
        let log = FailureLog()
        let clock = ManualClock()
        let test = TestSystem(
            System<Int, Int>(
                initialState: 0,
                next: { (state: Int, event: Int) -> Next<Int> in
                    .run {
                        try await clock.sleep(for: .seconds(1))
                        return state + event
                    }
                }), onFailure: log.recorder, patience: .milliseconds(1))
        await test.send(1)
        await test.finish()
        #expect(log.messages.count == 1)
        #expect(log.messages[0].hasPrefix("the test is finished, but an event's work still runs."))
    }

    @Test func `a failure that was not received fails`() async {
        let log = FailureLog()
        let test = test(log)
        await test.send(30) { $0 = 30 }
        await test.receive(1)
        await test.send(-30) { $0 = 0 }
        await test.send(30) { $0 = 30 }
        await test.finish()
        #expect(
            log.messages == [
                "1 was expected; what came is an effect, which failed (see receiveFailure(where:)): Broken().",
                "the test is finished. Steps that were not received:\n  3. an effect, which failed (see receiveFailure(where:)): Broken()",
            ])
    }

    @Test func `a success where a failure was expected fails, and so does another failure`() async {
        let log = FailureLog()
        let test = test(log)
        await test.send(10) { $0 = 10 }
        await test.receiveFailure(where: { _ in true }) { $0 = 11 }
        await test.send(19) { $0 = 30 }
        await test.receiveFailure(where: { $0 is CancellationError })
        await test.finish()
        #expect(
            log.messages == [
                "a failure was expected; what came is 1.",
                "another failure was expected; what came is an effect, which failed: Broken().",
            ])
    }

    @Test func `sending to a system that was stopped fails`() async {
        let log = FailureLog()
        let test = test(log)
        await test.finish()
        await test.send(1)
        #expect(log.messages == ["1 was dropped: the system has been stopped."])
    }

    @Test func `a test that forgets to finish fails where it made the double`() async {
        let log = FailureLog()
        var made: UInt = 0
        func run() async {
            let system = System<Int, Int>(
                initialState: 0, feedbacks: [.react({ _ in .event(1) }, when: { $0 == 10 })], reducer: { $0 += $1 })
            made = UInt(#line) + 1
            let test = TestSystem(system, onFailure: log.recorder)
            await test.send(10) { $0 = 10 }
        }
        await run()
        #expect(log.messages == ["the test ended without finish().\nSteps that were not received:\n  2. 1"])
        #expect(log.failures.first.map { $0.line == made } == true)
    }

    @Test func `a test that has nothing left over need not finish`() async {
        let log = FailureLog()
        func run() async {
            let test = test(log)
            await test.send(1) { $0 = 1 }
        }
        await run()
        #expect(log.messages.isEmpty)
    }
}
