import LoopCore
import LoopMigration
import LoopViews
import Testing

private struct Screen: Equatable {
    var detail: Detail?
    var scrolled = 0
}

private struct Detail: Equatable {
    var title: String
    var isOpen = false
}

private enum ScreenEvent { case show(String), close, scroll, detail(DetailEvent) }
private enum DetailEvent { case open }

@MainActor private func screen(_ title: String? = nil) -> System<Screen, ScreenEvent> {
    System(
        initialState: Screen(detail: title.map { Detail(title: $0) }),
        reducer: { (screen: inout Screen, event: ScreenEvent) in
            switch event {
            case .show(let title): screen.detail = Detail(title: title)
            case .close: screen.detail = nil
            case .scroll: screen.scrolled += 1
            case .detail(.open): screen.detail?.isOpen = true
            }
        })
}

@MainActor @Suite struct ViewStoreOptionalTests {
    @Test func `there is no store of a part that is missing`() {
        let store = ViewStore(screen())
        #expect(store.ifLet(\.detail) == nil)
        store.send(.show("mug"))
        #expect(store.ifLet(\.detail)?.title == "mug")
        store.send(.close)
        #expect(store.ifLet(\.detail) == nil)
    }

    @Test func `the part sends its own events`() throws {
        let store = ViewStore(screen("mug"))
        let detail = try #require(store.ifLet(\.detail, event: ScreenEvent.detail))
        detail.send(.open)
        #expect(detail.isOpen)
        #expect(store.detail?.isOpen == true)
    }

    @Test func `the part is not drawn anew for changes elsewhere`() throws {
        let store = ViewStore(screen("mug"))
        let detail = try #require(store.ifLet(\.detail))
        let drawing = Drawing { _ = detail.title }
        store.send(.scroll)
        #expect(drawing.invalidations == 0)
        store.send(.show("lamp"))
        #expect(drawing.invalidations == 1)
    }

    @Test func `a store whose part has gone keeps the last value and follows one that comes back`() throws {
        let store = ViewStore(screen("mug"))
        let detail = try #require(store.ifLet(\.detail, event: ScreenEvent.detail))
        detail.send(.open)
        let drawing = Drawing { _ = detail.state }
        store.send(.close)
        #expect(detail.state == Detail(title: "mug", isOpen: true))
        #expect(drawing.invalidations == 0)
        detail.send(.open)
        #expect(store.detail == nil)
        store.send(.show("lamp"))
        #expect(detail.state == Detail(title: "lamp"))
        #expect(drawing.invalidations == 1)
    }

    @Test func `asking for a part is observed, so that a view is drawn when the part comes`() {
        let store = ViewStore(screen())
        let drawing = Drawing { _ = store.ifLet(\.detail) }
        store.send(.show("mug"))
        #expect(drawing.invalidations == 1)
    }

    @Test func `a store of an optional state gives a store of its value`() {
        let system = screen("mug")
        let optional = ViewStore(system).scope(state: \.detail)
        #expect(optional.ifLet(\.self)?.title == "mug")
        system.send(.close)
        #expect(optional.ifLet(\.self) == nil)
    }

    @Test func `a store whose rule compares presence alone is not drawn for other changes`() {
        let system = screen("mug")
        let presence = ViewStore(system, isSame: { ($0.detail == nil) == ($1.detail == nil) })
        let drawing = Drawing { _ = presence.ifLet(\.detail) }
        system.send(.show("lamp"))
        #expect(drawing.invalidations == 0)
        #expect(presence.ifLet(\.detail)?.title == "lamp")
        system.send(.close)
        #expect(drawing.invalidations == 1)
    }

    @Test func `a part that cannot be compared is drawn at each step, unless a rule says otherwise`() throws {
        struct Opaque { let title: String }
        let store = ViewStore(screen("mug"))
        let find: (Screen) -> Opaque? = { $0.detail.map { Opaque(title: $0.title) } }
        let plain = try #require(store.ifLet(find))
        let ruled = try #require(store.ifLet(find, isSame: { $0.title == $1.title }))
        let plainDrawing = Drawing { _ = plain.state }
        let ruledDrawing = Drawing { _ = ruled.title }
        store.send(.scroll)
        #expect(plainDrawing.invalidations == 1)
        #expect(ruledDrawing.invalidations == 0)
    }
}
