import Foundation
import LoopCore
import LoopMigration
import TestSupport
import Testing

struct API { var signIn: (String) async throws -> String }
struct Prices { var price: (String) async throws -> Int }
struct TodoStore {
    var load: () async throws -> [String]
    var save: (String) async throws -> String
}

/// A child that both spellings write alike.
enum Cart {
    struct State: Equatable { var items: [String] = [] }
    enum Event { case add(String), clear }

    static func reduce(state: inout State, event: Event) {
        switch event {
        case .add(let sku): state.items.append(sku)
        case .clear: state.items = []
        }
    }
}

/// Apps in the old spelling and in the new one: they do the same, and the new spelling is shorter.
@MainActor @Suite struct CallSiteTests {
    /// Lines of an app that are not blank, and the names, keywords and numbers in them.
    private func counted(_ app: String, in file: String) throws -> (lines: Int, words: Int) {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(file).path
        let parts = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "// MARK: ")
        let part = try #require(parts.first { $0.hasPrefix(app + "\n") })
        let lines = part.split(separator: "\n").dropFirst().filter { line in line.contains { $0 != " " } }
        return (lines.count, lines.map { $0.matches(of: #/\w+/#).count }.reduce(0, +))
    }

    /// The figures in `CHANGELOG.md`.
    @Test(arguments: [
        ("Login", (33, 119), (27, 93)), ("Todo", (74, 318), (66, 270)), ("Shop", (45, 195), (39, 174)),
    ])
    func `each app takes fewer lines and fewer words`(app: String, before: (Int, Int), after: (Int, Int)) throws {
        let (were, are) = (try counted(app, in: "Before.swift"), try counted(app, in: "After.swift"))
        #expect(were == before && are == after)
        #expect(are.lines < were.lines && are.words < were.words)
    }

    private func logIn<State, Event>(
        _ make: (API) -> System<State, Event>, submit: Event, leave: Event, isBusy: (State) -> Bool, token: (State) -> String?
    ) async {
        var asked = 0
        let system = make(
            API { name in
                asked += 1
                if asked < 3 { try await forever() }
                return "token \(asked) of \(name)"
            }
        ).start()
        for count in 1...2 {
            system.send(submit)
            #expect(await eventually { asked == count })
        }
        #expect(isBusy(system.state))
        system.send(leave)
        #expect(!isBusy(system.state))
        await system.settled()
        #expect(token(system.state) == nil)
        system.send(submit)
        await system.settled()
        #expect(token(system.state) == "token 3 of ada" && !isBusy(system.state))
    }

    @Test func `a login is begun anew by each submit and ended by leaving, in both spellings`() async {
        await logIn(Before.Login.system, submit: .submit, leave: .leave, isBusy: \.isBusy, token: \.token)
        await logIn(After.Login.system, submit: .submit, leave: .leave, isBusy: \.isBusy, token: \.token)
    }

    @Test func `todos are loaded, written and saved, in both spellings`() async {
        let store = TodoStore(load: { ["a", "b"] }, save: { $0.uppercased() })
        let before = Before.TodoApp.system(store).start()
        let after = After.TodoApp.system(store).start()
        Before.TodoApp.todos(of: before).send(.load)
        After.TodoApp.todos(of: after).send(.load)
        await before.settled()
        await after.settled()
        before.send(.todos(.remove(0)))
        after.send(.todos(.remove(0)))
        before.send(.write)
        after.send(.write)
        for event in [Before.Editor.Event.type("c"), .save] { Before.TodoApp.editor(of: before)?.send(event) }
        for event in [After.Editor.Event.type("c"), .save] { After.TodoApp.editor(of: after)?.send(event) }
        await before.settled()
        await after.settled()
        #expect(before.state.todos.titles == ["b", "C"] && before.state.editor == nil)
        #expect(after.state.todos.titles == ["b", "C"] && after.state.editor == nil)
    }

    @Test func `a product's price is asked for while it is open, in both spellings`() async {
        let prices = Prices { $0.count }
        let before = Before.Shop.system(prices).start()
        let after = After.Shop.system(prices).start()
        before.send(.open("abc"))
        after.send(.open("abc"))
        Before.Shop.cart(of: before).send(.add("abc"))
        After.Shop.cart(of: after).send(.add("abc"))
        await before.settled()
        await after.settled()
        #expect(before.state.detail?.price == 3 && before.state.cart.items == ["abc"])
        #expect(after.state.detail?.price == 3 && after.state.cart.items == ["abc"])
    }
}
