import Foundation
import LoopCore
import LoopLogging
import TestSupport
import Testing

@Suite struct LogThreadTests {
    struct Counted: Sendable, Equatable { var number = 0 }
    enum Move: Sendable { case count }

    /// An output that waits before its first line until it is opened.
    final class Held: Sendable {
        let lines = Kept()
        private let begun = DispatchSemaphore(value: 0)
        private let gate = DispatchSemaphore(value: 0)

        /// - Parameter companion: lives as long as the output.
        func output(keeping companion: (any AnyObject & Sendable)? = nil) -> LogOutput {
            .closure { [self] line in
                defer { withExtendedLifetime(companion) {} }
                if lines.all.isEmpty {
                    begun.signal()
                    gate.wait()
                }
                lines.append(line)
            }
        }

        func whenBegun() { begun.wait() }
        func open() { gate.signal() }
    }

    @MainActor private func system(_ log: Middleware<Counted, Move>) -> System<Counted, Move> {
        System(initialState: Counted(), reducer: { (counted: inout Counted, _: Move) in counted.number += 1 }).attach(log)
    }

    private let terse = LogFormat<Counted, Move> { record, _ in "\(record.step.number):\(record.step.state.number)" }

    @MainActor @Test func `lines come in order, and from another thread`() async {
        let kept = Kept()
        let thread = LogThread(to: .closure { kept.append($0) })
        let system = system(.log(LogOptions(terse), on: thread))
        for _ in 0..<1_000 { system.send(.count) }
        await thread.flush()
        #expect(kept.all == (0...1_000).map { "\($0):\($0)" })
        let here = Kept()
        here.append("")
        #expect(kept.threads.count == 1 && kept.threads != here.threads)
        #expect(thread.dropped == 0)
    }

    @MainActor @Test func `the lines of systems that share a thread have the systems' names`() async {
        let kept = Kept()
        let thread = LogThread(to: .closure { kept.append($0) })
        for name in ["cart", "stock", nil] {
            System(name: name, initialState: 1, reducer: { (sum: inout Int, more: Int) in sum += more })
                .attach(.log(LogOptions(.compact(timing: false)), on: thread))
        }
        await thread.close()
        #expect(kept.all == ["cart #0 initial → 1", "stock #0 initial → 1", "#0 initial → 1"])
    }

    @MainActor @Test func `the loop does not wait for the output`() async {
        let held = Held()
        let thread = LogThread(to: held.output())
        let system = system(.log(LogOptions(terse), on: thread))
        for _ in 0..<10 { system.send(.count) }
        #expect(system.state.number == 10)
        #expect(held.lines.all.isEmpty)
        held.open()
        await thread.flush()
        #expect(held.lines.all.count == 11)
    }

    @MainActor @Test func `what does not fit is dropped, counted and reported where it would have stood`() async {
        let held = Held()
        let thread = LogThread(to: held.output(), capacity: 3)
        let system = system(.log(LogOptions(terse), on: thread))
        held.whenBegun()
        // The thread is writing the initial step; three more fit into its queue.
        for _ in 0..<8 { system.send(.count) }
        #expect(thread.dropped == 5)
        held.open()
        await thread.flush()
        system.send(.count)
        await thread.close()
        #expect(held.lines.all == ["0:0", "1:1", "2:2", "3:3", "… 5 steps were dropped: too many waited", "9:9"])
    }

    @MainActor
    @Test(arguments: [(2, "1 step was"), (3, "2 steps were")])
    func `in a log of JSON the line about dropped steps is an object, too`(sent: Int, note: String) async throws {
        let held = Held()
        let thread = LogThread(to: held.output(), capacity: 1)
        let system = system(.log(.json, on: thread))
        held.whenBegun()
        for _ in 0..<sent { system.send(.count) }
        held.open()
        await thread.close()
        let lines = try held.lines.all.map { try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
        #expect(lines.map { $0["number"] as? Int } == [0, 1, nil])
        #expect(lines.last?["level"] as? String == "warning")
        #expect(lines.last?["error"] as? String == "\(note) dropped: too many waited")
    }

    @MainActor
    @Test(
        "the line about dropped steps goes by the format, not by the lines, and only where warnings are wanted",
        arguments: [
            (.trace, .error, false, ["{0}", "{1}", "… 2 steps were dropped: too many waited"]),
            (.trace, .info, false, ["{0}", "{1}"]),
            (.warning, .error, true, [#"{"level":"warning","error":"2 steps were dropped: too many waited"}"#]),
        ] as [(LogLevel, LogLevel, Bool, [String])])
    func droppedLine(least: LogLevel, most: LogLevel, isJSON: Bool, expected: [String]) async {
        let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let kept = Kept()
        // Each step waits for the gate, whether it is wanted or not.
        let isWanted: @Sendable (LogLevel) -> Bool = { level in
            if level == .info {
                begun.signal()
                gate.wait()
            }
            return level >= least && level <= most
        }
        let thread = LogThread(to: LogOutput(isWanted: isWanted, writing: { line, _ in kept.append(line) }), capacity: 1)
        let format: LogFormat<Counted, Move> = isJSON ? .json : LogFormat { record, _ in "{\(record.step.number)}" }
        let system = system(.log(LogOptions(format), on: thread))
        Self.wait(begun)
        for _ in 0..<3 { system.send(.count) }
        for _ in 0..<2 { gate.signal() }
        await thread.close()
        #expect(kept.all == expected)
    }

    @MainActor @Test func `nothing is formatted for steps that are not logged`() async {
        let kept = Kept()
        let made = Kept()
        let format = LogFormat<Counted, Move> { record, _ in
            made.append("\(record.step.number)")
            return "\(record.step.number)"
        }
        let thread = LogThread(to: LogOutput(isWanted: { $0 >= .warning }, writing: { line, _ in kept.append(line) }))
        let levels = LogLevels<Counted, Move>(atLeast: .info) { step in step.number == 2 ? .error : step.number == 3 ? .trace : .info }
        let system = system(.log(LogOptions(format, only: .steps { $0.number > 1 }, levels: levels), on: thread))
        for _ in 0..<4 { system.send(.count) }
        await thread.close()
        #expect(kept.all == ["2"] && made.all == ["2"])
    }

    @MainActor @Test func `a closed thread takes nothing more, and closing again does nothing`() async {
        let kept = Kept()
        let thread = LogThread(to: .closure { kept.append($0) })
        let system = system(.log(LogOptions(terse), on: thread))
        await thread.close()
        system.send(.count)
        thread.closeAndWait()
        await thread.flush()
        #expect(kept.all == ["0:0"])
        #expect(thread.dropped == 1)
    }

    @MainActor @Test func `a thread that nobody holds writes what waits`() async {
        let held = Held()
        let done = DispatchSemaphore(value: 0)
        final class Last: Sendable {
            let done: DispatchSemaphore
            init(_ done: DispatchSemaphore) { self.done = done }
            deinit { done.signal() }
        }
        do {
            let last = Last(done)
            let thread = LogThread(to: held.output(keeping: last))
            let system = system(.log(LogOptions(terse), on: thread))
            for _ in 0..<5 { system.send(.count) }
        }
        held.open()
        // The output is released when the thread ends.
        await Task.detached { Self.wait(done) }.value
        #expect(held.lines.all.count == 6)
    }

    @MainActor @Test func `values that cannot be sent go to the thread by an explicit promise`() async {
        final class Counter { let number: Int; init(_ number: Int) { self.number = number } }
        let kept = Kept()
        let thread = LogThread(to: .closure { kept.append($0) })
        let format = LogFormat<Counter, Move> { record, _ in "\(record.step.number):\(record.step.state.number)" }
        let system = System(initialState: Counter(0), returning: { (counter: Counter, _: Move) in Counter(counter.number + 1) })
            .attach(.log(LogOptions(format), uncheckedOn: thread))
        system.send(.count)
        system.send(.count)
        await thread.close()
        #expect(kept.all == ["0:0", "1:1", "2:2"])
    }

    @Test func `a forked child drops and counts, and its parent writes what waited`() async {
        await #expect(processExitsWith: .success) { @MainActor in
            let held = Held()
            let thread = LogThread(to: held.output())
            let system = LogThreadTests().system(.log(LogOptions(LogThreadTests().terse), on: thread))
            held.whenBegun()
            system.send(.count)
            let child = forkWithAlarms()
            if child == 0 {
                system.send(.count)
                system.send(.count)
                // The child has no such thread, so that this must not wait for it.
                thread.closeAndWait()
                _exit(thread.dropped == 2 ? 7 : 1)
            }
            #expect(exitCode(ofChild: child) == 7)
            held.open()
            thread.closeAndWait()
            #expect(held.lines.all == ["0:0", "1:1"] && thread.dropped == 0)
        }
    }

    @MainActor @Test func `a flush waits for all jobs before it, though later ones are dropped meanwhile`() async {
        let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let done = Collected<Int>()
        let thread = JobThread<Int>(capacity: 2, overflow: .oldest) {
            { batch in
                for job in batch.jobs {
                    begun.signal()
                    gate.wait()
                    done.add(job)
                }
            }
        }
        thread.append(1, isKept: true)
        Self.wait(begun)
        thread.append(2, isKept: true)
        var hasReturned = false
        let flush = Task {
            await thread.flush()
            hasReturned = true
            return done.all
        }
        // All run on one actor: when this task has run, the flush waits.
        await Task {}.value
        for job in 3...9 { thread.append(job) }
        gate.signal()
        Self.wait(begun)
        await Task {}.value
        #expect(!hasReturned, "the second job is not done")
        for _ in 2...4 { gate.signal() }
        #expect(await flush.value.contains(2))
        thread.closeAndWait()
        #expect(done.all == [1, 2, 8, 9] && thread.dropped == 5)
    }

    private static func wait(_ semaphore: DispatchSemaphore) { semaphore.wait() }

    @Test func `several systems share a thread, each in its own order`() async {
        let kept = Kept()
        let thread = LogThread(to: .closure { kept.append($0) })
        let tasks = (0..<4).map { name in
            Task { @MainActor in
                let format = LogFormat<Counted, Move> { record, _ in "\(name) \(record.step.number)" }
                let system = self.system(.log(LogOptions(format), on: thread))
                for _ in 0..<200 {
                    system.send(.count)
                    await Task.yield()
                }
            }
        }
        for task in tasks { await task.value }
        await thread.flush()
        let all = kept.all
        #expect(all.count == 804)
        for name in 0..<4 { #expect(all.filter { $0.hasPrefix("\(name) ") } == (0...200).map { "\(name) \($0)" }) }
    }
}
