import LoopCore
import LoopMigration
import LoopViews
import Testing

private enum App: Equatable {
    case signedOut(SignIn)
    case signedIn(Home)
    case broken
}

private struct SignIn: Equatable { var name = "" }
private struct Home: Equatable { var name: String, visits = 0 }

private enum AppEvent { case signIn(SignInEvent), home(HomeEvent), fail }
private enum SignInEvent { case named(String), done }
private enum HomeEvent { case visit, signOut }

@MainActor private func app() -> System<App, AppEvent> {
    System(
        initialState: App.signedOut(SignIn()),
        reducer: { (app: inout App, event: AppEvent) in
            switch (app, event) {
            case (.signedOut, .signIn(.named(let name))): app = .signedOut(SignIn(name: name))
            case (.signedOut(let signIn), .signIn(.done)): app = .signedIn(Home(name: signIn.name))
            case (.signedIn(var home), .home(.visit)):
                home.visits += 1
                app = .signedIn(home)
            case (.signedIn, .home(.signOut)): app = .signedOut(SignIn())
            case (_, .fail): app = .broken
            default: break
            }
        })
}

@MainActor private let signedOut = EnumCase<App, SignIn> { .signedOut($0) }
@MainActor private let signedIn = EnumCase<App, Home> { .signedIn($0) }

@MainActor @Suite struct ViewStoreCaseTests {
    @Test func `there is a store of the state's present case, and of no other`() {
        let store = ViewStore(app())
        #expect(store.caseLet(signedOut, event: AppEvent.signIn)?.state == SignIn())
        #expect(store.caseLet(signedIn, event: AppEvent.home) == nil)
        store.send(.signIn(.done))
        #expect(store.caseLet(signedOut, event: AppEvent.signIn) == nil)
        #expect(store.caseLet(signedIn, event: AppEvent.home) != nil)
        store.send(.fail)
        #expect(store.caseLet(signedOut, event: AppEvent.signIn) == nil)
        #expect(store.caseLet(signedIn, event: AppEvent.home) == nil)
    }

    @Test func `a case's store reads what the case carries and sends the case's events`() throws {
        let store = ViewStore(app())
        let signIn = try #require(store.caseLet(signedOut, event: AppEvent.signIn))
        signIn.binding(for: \.name, event: SignInEvent.named).wrappedValue = "Ada"
        #expect(signIn.name == "Ada")
        signIn.send(.done)
        let home = try #require(store.caseLet(signedIn, event: AppEvent.home))
        #expect(home.name == "Ada")
        home.send(.visit)
        #expect(home.visits == 1)
        #expect(signIn.name == "Ada")
    }

    @Test func `a case that is made of both functions works the same way`() {
        let byHand = EnumCase<App, Home>(
            embed: { .signedIn($0) }, extract: { if case .signedIn(let home) = $0 { home } else { nil } })
        let store = ViewStore(app())
        #expect(store.caseLet(byHand, event: AppEvent.home) == nil)
        store.send(.signIn(.done))
        #expect(store.caseLet(byHand, event: AppEvent.home)?.visits == 0)
    }

    @Test func `the store of a case that is left keeps its last state, without being drawn`() throws {
        let store = ViewStore(app())
        let signIn = try #require(store.caseLet(signedOut, event: AppEvent.signIn))
        signIn.send(.named("Ada"))
        let drawing = Drawing { _ = signIn.name }
        signIn.send(.done)
        #expect(drawing.invalidations == 0)
        #expect(signIn.name == "Ada")
        store.send(.home(.signOut))
        #expect(drawing.invalidations == 1)
        #expect(signIn.name == "")
    }

    @Test func `a case whose values cannot be compared takes a rule`() throws {
        struct Opaque { let text: String }
        enum Page { case text(Opaque) }
        let system = System(
            initialState: Page.text(Opaque(text: "a")), reducer: { (page: inout Page, text: String) in page = .text(Opaque(text: text)) })
        let store = ViewStore(system)
        let text = try #require(store.caseLet(EnumCase { Page.text($0) }, event: { $0 }, isSame: { $0.text == $1.text }))
        let drawing = Drawing { _ = text.text }
        system.send("a")
        #expect(drawing.invalidations == 0)
        system.send("b")
        #expect(drawing.invalidations == 1)
    }

    @Test func `asking for a case is observed`() {
        let store = ViewStore(app())
        let drawing = Drawing { _ = store.caseLet(signedIn, event: AppEvent.home) }
        store.send(.signIn(.done))
        #expect(drawing.invalidations == 1)
    }
}
