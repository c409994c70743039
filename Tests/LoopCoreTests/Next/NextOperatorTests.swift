import LoopCore
import LoopMigration
import LoopTesting
import TestSupport
import Testing

/// What a `Next` that is made of others keeps of them.
@MainActor @Suite struct NextOperatorTests {
    struct Broken: Error, Equatable { var name = "" }

    /// The states that one event with this `Next` shows, and how it ended.
    private func run(_ next: @escaping () -> Next<String>) async -> (states: [String], outcome: String) {
        let recorder = StepRecorder<String, Int>()
        let system = System<String, Int>(initialState: "before", next: { (_: String, _: Int) -> Next<String> in next() })
        system.attach(recorder.middleware)
        system.send(1)
        await system.settled()
        let outcome =
            switch recorder.steps.last?.outcome {
            case .finished: "finished"
            case .failed(let error): "failed \((error as? Broken)?.name ?? "?")"
            case .cancelled: "cancelled"
            case nil: "-"
            }
        return (Array(recorder.states.dropFirst()), outcome)
    }

    private func work(_ value: String, fails: Bool = false) -> Next<String> {
        .run {
            await Task.yield()
            if fails { throw Broken(name: value) }
            return value
        }
    }

    @Test("nothing runs until the loop runs it, and a description that is dropped has done nothing")
    func isLazy() async throws {
        var runs = 0
        let next = Next<Int>.run {
            runs += 1
            return runs
        }
        .map { $0 * 10 }
        .flatMap { value in .run { value + 1 } }
        .mapErrorRecover { _ in 0 }
        #expect(runs == 0)
        #expect(try await next.value() == 11)
        #expect(try await next.value() == 21)
    }

    @Test("the loading state goes through every operator")
    func loadingSurvives() async {
        let base = work("done").stateWhenLoading("loading")
        let operators: [(String, Next<String>, [String])] = [
            ("none", base, ["loading", "done"]),
            ("map", base.map { $0 + "!" }, ["loading!", "done!"]),
            ("flatMap to work", base.flatMap { self.work($0 + "!") }, ["loading", "done!"]),
            ("flatMap to a value", base.flatMap { .state($0 + "!") }, ["loading", "done!"]),
            ("flatMap to work with its own", base.flatMap { self.work($0 + "!").stateWhenLoading("more") }, ["loading", "more", "done!"]),
            ("flatMap from a value", Next.state("a").flatMap { _ in base }, ["loading", "done"]),
            ("mapError", base.mapError { _ in Broken() }, ["loading", "done"]),
            ("mapErrorRecover", base.mapErrorRecover { _ in "recovered" }, ["loading", "done"]),
            ("recover", base.recover { _ in .state("recovered") }, ["loading", "done"]),
            ("zip", Next.zip(base, base).map { $0 + $1 }, ["loadingloading", "donedone"]),
            ("zip with a value", Next.zip(base, .state(1)).map { "\($0)\($1)" }, ["loading1", "done1"]),
            ("parallel", Next.parallel([base, base, .state("x")]).map { $0.joined() }, ["loadingloadingx", "donedonex"]),
            ("flatMap over types", base.map(\.count).flatMap { .state("\($0)") }, ["7", "4"]),
        ]
        for (name, next, expected) in operators {
            let result = await run { next }
            #expect(result.states == expected, "\(name)")
            #expect(result.outcome == "finished", "\(name)")
        }
    }

    @Test("an empty optional as loading value is not taken for an empty one of another type")
    func emptyLoadingValue() async {
        let number = Next<Int?>.run { 3 }.stateWhenLoading(nil)
        #expect(await run { number.flatMap { .state($0.map(String.init)) }.map { $0 ?? "none" } }.states == ["none", "3"])
        #expect(await run { number.flatMap { Next<String?>.state("\($0 ?? 0)") }.map { $0 ?? "none" } }.states == ["0", "3"])
        // The loading value stays, as an optional, because the work that follows has none of its own.
        let text = work("done").stateWhenLoading("loading")
        #expect(await run { text.flatMap { value in Next<String?>.run { value } }.map { $0 ?? "none" } }.states == ["loading", "done"])
    }

    @Test("without a loading value in every part there is none for the whole")
    func zipNeedsAllLoadingValues() async {
        let with = work("a").stateWhenLoading("loading"), without = work("b")
        #expect(await run { Next.zip(with, without).map { $0 + $1 } }.states == ["ab"])
        #expect(await run { Next.parallel([with, without]).map { $0.joined() } }.states == ["ab"])
        #expect(await run { Next.zip(with, without).map { $0 + $1 }.stateWhenLoading("wait") }.states == ["wait", "ab"])
    }

    @Test("values that are known stay known: the step ends at once")
    func knownStaysKnown() {
        let operators: [Next<String>] = [
            Next.state("a").map { $0 }, Next.state("a").flatMap { .state($0) }, Next.zip(.state("a"), .state(1)).map { $0.0 },
            Next.parallel([.state("a")]).map { $0[0] }, Next.state("a").mapErrorRecover { _ in "b" }.stateWhenLoading("no"),
        ]
        for next in operators {
            let system = System<String, Int>(initialState: "", next: { (_: String, _: Int) -> Next<String> in next })
            system.send(1)
            #expect(system.state == "a" && system.isSettled)
        }
        #expect(Next<[Int]>.parallel([Next<Int>]()).isKnown)
    }

    @Test("an error goes through, is turned into another, or into a value")
    func errors() async {
        let failing = work("x", fails: true).stateWhenLoading("loading")
        let expected: [(Next<String>, [String], String)] = [
            (failing, ["loading", "before"], "failed x"),
            (failing.map { $0 }, ["loading", "before"], "failed x"),
            (failing.flatMap { .state($0) }, ["loading", "before"], "failed x"),
            (work("a").flatMap { _ in failing }, ["loading", "before"], "failed x"),
            (failing.mapError { Broken(name: "\(($0 as? Broken)?.name ?? "") mapped") }, ["loading", "before"], "failed x mapped"),
            (failing.mapErrorRecover { "recovered \(($0 as? Broken)?.name ?? "")" }, ["loading", "recovered x"], "finished"),
            (work("a").flatMap { _ in failing }.mapErrorRecover { _ in "recovered" }, ["loading", "recovered"], "finished"),
            (failing.recover { _ in self.work("second") }, ["loading", "second"], "finished"),
            (failing.recover { _ in self.work("y", fails: true) }, ["loading", "before"], "failed y"),
            (Next.failure(Broken(name: "at once")), ["before"], "failed at once"),
            (Next.zip(work("a"), failing).map { $0 + $1 }, ["before"], "failed x"),
            (Next.parallel([work("a"), failing, work("b")]).map { $0.joined() }, ["before"], "failed x"),
        ]
        for (place, (next, states, outcome)) in expected.enumerated() {
            let result = await run { next }
            #expect(result.states == states, "\(place)")
            #expect(result.outcome == outcome, "\(place)")
        }
    }

    @Test("cancellation is no error to recover from")
    func cancellationStays() async {
        let cancelled = Next<String>.run { throw CancellationError() }
        #expect(await run { cancelled.mapErrorRecover { _ in "recovered" } }.outcome == "cancelled")
        #expect(await run { cancelled.mapError { _ in Broken() } }.outcome == "cancelled")
        #expect(await run { Next.zip(cancelled, self.work("a")).map { $0 + $1 } }.outcome == "cancelled")
    }

    @Test("the parts of zip and parallel run at the same time", arguments: ["zip", "parallel"])
    func runTogether(kind: String) async throws {
        let gate = Gate()
        let part = Next<Int>.run {
            await gate.pass()
            return 1
        }
        let all: Next<Int> =
            kind == "zip"
            ? Next.zip(part, part, part, part, part).map { $0 + $1 + $2 + $3 + $4 }
            : Next.parallel([part, part, part, part, part]).map { $0.reduce(0, +) }
        let system = System<Int, Int>(initialState: 0, next: { (_: Int, _: Int) -> Next<Int> in all })
        system.send(1)
        // No part ends before all have begun; otherwise this would not return.
        await gate.whenEntered(5)
        gate.open()
        await system.settled()
        #expect(system.state == 5)
    }

    @Test("where the caller has no isolation, the parts run at the same time as well", arguments: ["zip", "parallel"])
    @concurrent nonisolated func withoutIsolation(kind: String) async throws {
        var hasBegun = false
        let waiting = Next<Int>.run {
            for _ in 0..<10_000 where !hasBegun { await Task.yield() }
            return hasBegun ? 1 : 0
        }
        let other = Next<Int>.run {
            hasBegun = true
            return 2
        }
        let all = kind == "zip" ? Next.zip(waiting, other).map { [$0, $1] } : Next.parallel([waiting, other])
        #expect(try await all.value() == [1, 2])
        let failing = Next<Int>.run { throw Broken(name: "first") }
        let endless = Next<Int>.run {
            while !Task.isCancelled { await Task.yield() }
            return 3
        }
        await #expect(throws: Broken(name: "first")) { try await Next.parallel([endless, failing]).value() }
    }

    @Test("one part alone gives a list of one, with its loading value, its error and its cancellation")
    func onePart() async throws {
        #expect(try await Next.parallel([Next<Int>.run { 1 }]).value() == [1])
        let base = work("done").stateWhenLoading("loading")
        #expect(await run { Next.parallel([base]).map { $0.joined() } }.states == ["loading", "done"])
        #expect(await run { Next.parallel([self.work("x", fails: true)]).map { $0.joined() } }.outcome == "failed x")
        let gate = Gate()
        let part = Next<Int>.run {
            await gate.pass()
            return 1
        }
        let task = Task { try await Next.parallel([part]).value() }
        await gate.whenEntered(1)
        task.cancel()
        gate.open()
        // The part itself takes no notice of its cancellation.
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("one part alone runs where its caller does, also where that has no isolation")
    @concurrent nonisolated func onePartWithoutIsolation() async throws {
        #expect(try await Next.parallel([Next<Int>.run { 1 }]).value() == [1])
        await #expect(throws: Broken(name: "alone")) { try await Next.parallel([Next<Int>.run { throw Broken(name: "alone") }]).value() }
    }

    @Test("the first error cancels the other parts and is the error of the whole", arguments: ["zip", "parallel"])
    func firstErrorCancels(kind: String) async {
        var ends: [String] = []
        let slow = Next<String>.run {
            do { try await forever() } catch { ends.append("slow cancelled") }
            throw Broken(name: "late")
        }
        let failing = work("first", fails: true)
        let result = await run {
            kind == "zip" ? Next.zip(slow, failing).map { $0 + $1 } : Next.parallel([slow, failing]).map { $0.joined() }
        }
        #expect(result.outcome == "failed first")
        #expect(ends == ["slow cancelled"])
    }

    @Test("stopping a system cancels every part")
    func stopCancelsParts() async {
        var ends = 0
        let gate = Gate()
        let part = Next<Int>.run {
            await gate.pass()
            if Task.isCancelled { ends += 1 }
            return 1
        }
        let system = System<Int, Int>(
            initialState: 0, next: { (_: Int, _: Int) -> Next<Int> in Next.zip(part, part).map { $0 + $1 } })
        system.send(1)
        await gate.whenEntered(2)
        system.stop()
        gate.open()
        while ends < 2 { await Task.yield() }
        #expect(system.state == 0)
    }

    @Test("events wait while any stage of the work runs, and numbers stay in order")
    func eventsWaitForAllStages() async {
        let recorder = StepRecorder<String, String>()
        let system = System<String, String>(
            initialState: "",
            next: { (state: String, event: String) -> Next<String> in
                if event == "now" { return .state(state + " now") }
                return self.work("one").stateWhenLoading("1…").flatMap { first in self.work(first + " two").stateWhenLoading("2…") }
            })
        system.attach(recorder.middleware)
        system.send("work")
        system.send("now")
        await system.settled()
        #expect(recorder.states == ["", "1…", "2…", "one two", "one two now"])
        #expect(recorder.steps.map(\.number) == [0, 1, 1, 1, 2])
        #expect(recorder.steps.map(\.previousState) == [nil, "", "1…", "2…", "one two"])
    }

    @Test("stopping between two stages ends the event as cancelled")
    func stopBetweenStages() async {
        let recorder = StepRecorder<String, Int>()
        let system = System<String, Int>(
            initialState: "",
            next: { (_: String, _: Int) -> Next<String> in
                self.work("one").flatMap { _ in self.work("two").stateWhenLoading("second") }
            })
        system.attach(recorder.middleware)
        system.bind { [weak system] in if $0 == "second" { system?.stop() } }
        system.send(1)
        await system.settled()
        while recorder.steps.last?.outcome == nil { await Task.yield() }
        #expect(recorder.steps.last?.outcome?.isCancelled == true)
    }
}

extension Next {
    fileprivate var isKnown: Bool {
        var isRun = false
        _ = map { value in
            isRun = true
            return value
        }
        return isRun
    }
}
