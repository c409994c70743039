import LoopCore
import LoopLogging
import LoopTracing
import Testing

private final class Shop {
    private(set) var queries: [String] = []

    func search(_ query: String) async throws -> [String] {
        queries.append(query)
        return ["red \(query)", "blue \(query)"]
    }
}

private enum Search {
    struct State: Equatable {
        var query: String?
        var found: [String] = []
    }

    enum Event { case type(String), found([String]) }

    static func reduce(state: inout State, event: Event) {
        switch event {
        case .type(let query): state.query = query
        case .found(let found): state.found = found
        }
    }

    static func feedback(_ shop: Shop) -> Feedback<State, Event> {
        .onChange(of: \.query) { query in .run { .found(try await shop.search(query)) } }
    }
}

@MainActor @Suite struct LoopCorePage {
    @Test func `A typed query is searched, shown, logged and timed`() async {
        let shop = Shop()
        let label = Label()
        var lines: [String] = []
        let log = LogOutput.closure { lines.append($0) }
        let measurements = Measurements()

        let system = System(initialState: Search.State(), feedbacks: [Search.feedback(shop)], reducer: Search.reduce)
            .bind { [weak label] state in label?.text = state.found.joined(separator: ", ") }
            .attach(.log(to: log), .measure(into: measurements))
            .start()
        system.send(.type("shoes"))

        await system.settled()
        #expect(label.text == "red shoes, blue shoes")
        #expect(shop.queries == ["shoes"])
        #expect(lines.count == 3)
        #expect(measurements.event("found")?.count == 1)
    }

    @Test func `Without start the first send begins the feedbacks`() async {
        let shop = Shop()
        let label = Label()
        let log = LogOutput.closure { _ in }
        let measurements = Measurements()

        let system = System(initialState: Search.State(), feedbacks: [Search.feedback(shop)], reducer: Search.reduce)
            .bind { [weak label] state in label?.text = state.found.joined(separator: ", ") }
            .attach(.log(to: log), .measure(into: measurements))
        system.send(.type("shoes"))

        await system.settled()
        #expect(label.text == "red shoes, blue shoes")
    }
}
