import LoopCore
import LoopTesting
import LoopTracing
import LoopTracking
import Testing
import TrackingEvents

private enum Search {
    struct State: Equatable {
        var query: String?
        var found: [String]?
        var isLoading: Bool { query != nil && found == nil }
    }

    enum Event: Equatable { case type(String), found([String]) }

    struct Service {
        var search: (String) async throws -> [String]
    }

    static func reduce(state: inout State, event: Event) {
        switch event {
        case .type(let query): state = State(query: query)
        case .found(let found): state.found = found
        }
    }

    static func feedback(_ service: Service) -> Feedback<State, Event> {
        .onChange(of: \.query) { query in .run { .found(try await service.search(query)) } }
    }

    static func trackingEvent(_ state: State) -> TrackingEvent? {
        switch (state.query, state.found) {
        case (nil, _): nil
        case (_, nil): .event("search_started", [:])
        case (_, let found?): .event("search_done", ["results": .int(found.count)])
        }
    }
}

extension FailureRecorder {
    static let testing = FailureRecorder { failure in
        Issue.record(
            "\(failure)",
            sourceLocation: SourceLocation(
                fileID: "\(failure.fileID)", filePath: "\(failure.filePath)", line: Int(failure.line), column: Int(failure.column)))
    }
}

@MainActor @Suite struct TestingArticle {
    private let stub = Search.Service { ["red \($0)"] }

    @Test func `A reducer is tested as a function`() {
        var state = Search.State()
        Search.reduce(state: &state, event: .type("shoes"))
        Search.reduce(state: &state, event: .found(["red shoes"]))

        #expect(state == Search.State(query: "shoes", found: ["red shoes"]))
    }

    @Test func `A recorder has every step`() async {
        let system = System(initialState: Search.State(), feedbacks: [Search.feedback(stub)], reducer: Search.reduce)
        let recorder = StepRecorder<Search.State, Search.Event>()
        system.attach(recorder.middleware).start()

        system.send(.type("shoes"))
        await system.settled()

        #expect(recorder.events == [.type("shoes"), .found(["red shoes"])])
        #expect(recorder.phases == [.initial, .settled, .settled])
        #expect(recorder.errors.isEmpty)
        #expect(recorder.states.map(\.isLoading) == [false, true, false])
    }

    @Test func `A test system wants every step told`() async {
        let test = TestSystem(
            System(initialState: Search.State(), feedbacks: [Search.feedback(stub)], reducer: Search.reduce), onFailure: .testing)
        await test.send(.type("shoes")) { $0.query = "shoes" }
        await test.receive(.found(["red shoes"])) { $0.found = ["red shoes"] }
        await test.finish()
    }

    @Test func `What a test does not tell is a failure`() async {
        let (failures, failed) = AsyncStream<String>.makeStream()
        let test = TestSystem(
            System(initialState: Search.State(), feedbacks: [Search.feedback(stub)], reducer: Search.reduce),
            onFailure: FailureRecorder { failed.yield("\($0)") })
        await test.send(.type("shoes")) { $0.query = "shoes" }
        await test.finish()
        failed.finish()
        var messages: [String] = []
        for await message in failures { messages.append(message) }
        #expect(messages.count == 1)
        #expect(messages.first?.contains("not received") == true)
    }

    @Test func `An effect that pauses goes on when the clock is moved`() async {
        let stub = self.stub

        let clock = ManualClock()
        let pausing = Feedback<Search.State, Search.Event>.onChange(of: \.query) { query in
            .run { .found(try await stub.search(query)) }.delayed(by: .milliseconds(300))
        }
        let system = System(initialState: Search.State(), clock: clock.clock, feedbacks: [pausing], reducer: Search.reduce)
        system.send(.type("shoes"))
        await clock.whenSleeping()
        clock.advance(by: .milliseconds(300))
        await system.settled()

        #expect(system.state.found == ["red shoes"])
    }

    @Test func `A stub stands still until the test has looked`() async {
        let (answers, answer) = AsyncStream<[String]>.makeStream()
        let stub = Search.Service { _ in
            for await found in answers { return found }
            return []
        }
        let system = System(initialState: Search.State(), feedbacks: [Search.feedback(stub)], reducer: Search.reduce)
        system.send(.type("shoes"))
        let isLoading = system.state.isLoading
        answer.yield(["red shoes"])
        await system.settled()

        #expect(isLoading)
        #expect(system.state.found == ["red shoes"])
    }

    @Test func `Timings come from a clock that the test moves`() {
        let time = ManualClock()
        let measurements = Measurements()
        let system = System(initialState: 0, clock: time.clock) { (count: inout Int, step: Int) in
            time.advance(by: .microseconds(3))
            count += step
        }
        system.attach(.measure(into: measurements))
        system.send(1)

        #expect(measurements.event("Int")?[.reduce].max == 3_000)
    }

    @Test func `A memory sink keeps what the tracker records`() async {
        let sink = MemorySink()
        let tracker = Tracker(to: sink)
        let system = System(initialState: Search.State(), feedbacks: [Search.feedback(stub)], reducer: Search.reduce)
        system.attach(.track(to: tracker, Search.trackingEvent))
        system.send(.type("shoes"))
        await system.settled()

        #expect(sink.names == ["search_started", "search_done"])
    }

    @Test func `A system with a request under way is released, and the request cancelled`() async {
        let run = Endless()
        let endless = Search.Service { _ in
            await run.run()
            return []
        }

        weak var gone: System<Search.State, Search.Event>?
        do {
            let system = System(initialState: Search.State(), feedbacks: [Search.feedback(endless)], reducer: Search.reduce)
            system.send(.type("shoes"))
            gone = system
        }

        #expect(gone == nil)
        await run.whenCancelled(run.started)
    }
}
