import LoopCore
import LoopViews
import Observation
import Testing

/// The shop and the line of text of the article, run for real.
private struct Basket: Equatable {
    struct Item: Equatable {
        var name: String
        var count = 1
    }

    static let item = Part(\Basket.chosen, BasketEvent.item)

    var items: [Item] = []
    var note = ""
    var chosen: Item?
    var total: Int { items.reduce(0) { $0 + $1.count } }
}

private enum BasketEvent { case add(String), noteChanged(String), choose(String), item(ItemEvent) }
private enum ItemEvent { case more, close }

private func reduceBasket(_ basket: inout Basket, _ event: BasketEvent) {
    switch event {
    case .add(let name): basket.items.append(Basket.Item(name: name))
    case .noteChanged(let note): basket.note = String(note.prefix(140))
    case .choose(let name): basket.chosen = basket.items.first { $0.name == name }
    case .item(.more): basket.chosen?.count += 1
    case .item(.close): basket.chosen = nil
    }
}

@MainActor private final class TotalLine {
    private let total: ViewStore<Int, BasketEvent>
    private let print: (String) -> Void

    init(_ system: System<Basket, BasketEvent>, print: @escaping (String) -> Void) {
        total = ViewStore(system.scope(state: \.total))
        self.print = print
        draw()
    }

    private func draw() {
        withObservationTracking {
            print("\(total.state) in the basket")
        } onChange: { [weak self] in
            Task { await self?.draw() }
        }
    }
}

@MainActor @Suite struct ViewsAndBindingsArticleTests {
    private let system = System(initialState: Basket(), reducer: reduceBasket)

    @Test func `the line is written anew for each turn in which the total changed, and for nothing else`() async {
        var written: [String] = []
        let line = TotalLine(system) { written.append($0) }
        system.send(.noteChanged("a gift"))
        for _ in 0..<10 { await Task.yield() }
        #expect(written == ["0 in the basket"])
        system.send(.add("mug"))
        system.send(.add("lamp"))
        while written.count < 2 { await Task.yield() }
        system.send(.add("vase"))
        while written.count < 3 { await Task.yield() }
        #expect(written == ["0 in the basket", "2 in the basket", "3 in the basket"])
        withExtendedLifetime(line) {}
    }

    @Test func `a note is never longer than the reducer allows, whatever is typed`() {
        let note = ViewStore(system).binding(for: \.note, event: BasketEvent.noteChanged)
        note.wrappedValue = String(repeating: "x", count: 1_000)
        #expect(note.wrappedValue.count == 140)
        note.wrappedValue += "y"
        #expect(note.wrappedValue.hasSuffix("x"))
    }

    @Test func `the chosen item is a part that comes and goes`() throws {
        let store = ViewStore(system)
        store.send(.add("mug"))
        store.send(.choose("mug"))
        let item = try #require(store.scope(Basket.item))
        item.send(.more)
        #expect(item.count == 2)
        item.send(.close)
        #expect(store.scope(Basket.item) == nil)
        #expect(item.name == "mug")
    }
}
