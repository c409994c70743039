import LoopCore
import LoopMigration
import LoopViews
import Testing

private struct Feed: Equatable {
    var lines: [String] = []
    var isLoading = false
}

private enum FeedEvent { case load, clear }

/// Work that lasts until the test lets go of it.
@MainActor private final class Gate {
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private(set) var cancelled = 0

    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { continuation.resume() } else { waiting.append(continuation) }
            }
        } onCancel: {
            Task { @MainActor in self.open(cancelled: true) }
        }
    }

    /// Whether the work is cancelled in good time.
    func isCancelled() async -> Bool {
        for _ in 0..<10_000 where cancelled == 0 { await Task.yield() }
        return cancelled > 0
    }

    func open(cancelled: Bool = false) {
        if cancelled { self.cancelled += 1 }
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}

@MainActor private func feed(_ gate: Gate) -> System<Feed, FeedEvent> {
    System(
        initialState: Feed(),
        next: { (feed: Feed, event: FeedEvent) -> Next<Feed> in
            switch event {
            case .clear: return .state(Feed())
            case .load:
                return Next.run {
                    await gate.wait()
                    return Feed(lines: feed.lines + ["line"])
                }.stateWhenLoading(Feed(lines: feed.lines, isLoading: true))
            }
        })
}

/// A screen as UIKit has them: it draws what it is told, and tells its presenter what was touched.
@MainActor private final class FeedScreen {
    private(set) var drawn: [String] = []
    private let presenter: FeedPresenter

    init(_ presenter: FeedPresenter) {
        self.presenter = presenter
        presenter.show(on: self)
    }

    func draw(_ text: String) { drawn.append(text) }

    func tapLoad() { presenter.load() }
}

/// Between the system and the screen. The screen holds it, it holds the system, and the system knows the screen weakly.
@MainActor private final class FeedPresenter {
    private let system: System<Feed, FeedEvent>

    init(_ system: System<Feed, FeedEvent>) { self.system = system }

    func show(on screen: FeedScreen) {
        system.bind(weakly: screen) { screen, feed in screen.draw(feed.isLoading ? "…" : "\(feed.lines.count)") }
    }

    func load() { system.send(.load) }
}

@MainActor @Suite struct ViewLifeTests {
    @Test func `a screen bound weakly draws each state`() async {
        let gate = Gate()
        let system = feed(gate)
        let screen = FeedScreen(FeedPresenter(system))
        screen.tapLoad()
        #expect(screen.drawn == ["0", "…"])
        for _ in 0..<5 { await Task.yield() }
        gate.open()
        await system.settled()
        #expect(screen.drawn == ["0", "…", "1"])
    }

    @Test func `screen, presenter and system go together, with work in flight`() async {
        let gate = Gate()
        let gone: (Weak<FeedScreen>, Weak<FeedPresenter>, Weak<System<Feed, FeedEvent>>)
        do {
            let system = feed(gate)
            let presenter = FeedPresenter(system)
            let screen = FeedScreen(presenter)
            gone = (Weak(screen), Weak(presenter), Weak(system))
            screen.tapLoad()
            for _ in 0..<5 { await Task.yield() }
            #expect(screen.drawn == ["0", "…"])
        }
        #expect(gone.0.object == nil)
        #expect(gone.1.object == nil)
        #expect(gone.2.object == nil)
        #expect(await gate.isCancelled())
    }

    @Test func `a screen that goes leaves a system that others hold, and the work in flight still ends`() async {
        let gate = Gate()
        let system = feed(gate)
        let gone: Weak<FeedScreen>
        do {
            let screen = FeedScreen(FeedPresenter(system))
            gone = Weak(screen)
            screen.tapLoad()
        }
        #expect(gone.object == nil)
        for _ in 0..<5 { await Task.yield() }
        gate.open()
        await system.settled()
        #expect(system.state == Feed(lines: ["line"]))
        #expect(system.observers.bindingCount == 0)
        #expect(gate.cancelled == 0)
    }

    @Test func `a store goes with its owner, and the system with work in flight with it`() async {
        let gate = Gate()
        let gone: (Weak<ViewStore<Feed, FeedEvent>>, Weak<System<Feed, FeedEvent>>)
        do {
            let system = feed(gate)
            let store = ViewStore(system)
            gone = (Weak(store), Weak(system))
            store.send(.load)
            for _ in 0..<5 { await Task.yield() }
            #expect(store.isLoading)
        }
        #expect(gone.0.object == nil)
        #expect(gone.1.object == nil)
        #expect(await gate.isCancelled())
    }

    @Test func `a part keeps the system and not the store it comes from`() {
        let gone: (Weak<ViewStore<Feed, FeedEvent>>, Weak<ViewStore<[String], FeedEvent>>, Weak<System<Feed, FeedEvent>>)
        do {
            let lines: ViewStore<[String], FeedEvent>
            do {
                let system = feed(Gate())
                let store = ViewStore(system)
                lines = store.scope(state: \.lines)
                gone = (Weak(store), Weak(lines), Weak(system))
            }
            #expect(gone.0.object == nil)
            #expect(gone.2.object != nil)
            lines.send(.clear)
            #expect(lines.state.isEmpty)
        }
        #expect(gone.1.object == nil)
        #expect(gone.2.object == nil)
    }

    @Test func `a part that may be missing goes like any other`() {
        let gone: (Weak<ViewStore<String, FeedEvent>>, Weak<System<[String]?, FeedEvent>>)
        do {
            let system = System(initialState: Optional(["line"]), reducer: { (_: inout [String]?, _: FeedEvent) in })
            let first = ViewStore(system).ifLet { $0?.first }
            gone = (Weak(first), Weak(system))
            #expect(first?.state == "line")
        }
        #expect(gone.0.object == nil)
        #expect(gone.1.object == nil)
    }

    @Test func `a system that lives on lets go of stores and clears their places at the next step`() {
        let system = feed(Gate())
        let kept = ViewStore(system)
        for _ in 0..<3 {
            let gone: Weak<ViewStore<Feed, FeedEvent>>
            do {
                let store = ViewStore(system)
                gone = Weak(store)
                #expect(store.lines.isEmpty)
            }
            #expect(gone.object == nil)
        }
        system.send(.clear)
        #expect(system.observers.bindingCount == 1)
        #expect(kept.lines.isEmpty)
    }

    @Test func `stores that come and go without a step in between do not pile up`() {
        let system = feed(Gate())
        let store = ViewStore(system)
        for _ in 0..<1_000 { _ = store.scope(state: \.lines).ifLet(\.first) }
        #expect(system.observers.bindingCount <= 16)
        system.send(.clear)
        #expect(system.observers.bindingCount == 1)
    }

    @Test func `middleware that knows a store weakly does not keep it`() {
        let gone: Weak<ViewStore<Feed, FeedEvent>>
        do {
            let system = feed(Gate())
            let store = ViewStore(system)
            gone = Weak(store)
            system.attach(Middleware { [weak store] _ in _ = store?.lines })
            store.send(.clear)
        }
        #expect(gone.object == nil)
    }

    @Test func `a screen that holds nothing but its actions drives the system, and the system goes with it`() {
        /// A button as toolkits have them: it keeps what it is to do.
        final class Button {
            var onTap: () -> Void = {}
        }
        let gone: (Weak<System<Feed, FeedEvent>>, Weak<UserAction<Void, FeedEvent>>)
        do {
            let button = Button()
            var shown: [Bool] = []
            do {
                let system = feed(Gate())
                let load = UserAction<Void, FeedEvent>(trigger: .load)
                load.connect(to: system)
                system.bind(weakly: button) { _, feed in shown.append(feed.isLoading) }
                button.onTap = { load.execute() }
                gone = (Weak(system), Weak(load))
            }
            button.onTap()
            #expect(shown == [false, true])
        }
        #expect(gone.0.object == nil)
        #expect(gone.1.object == nil)
    }

    @Test func `a store whose system has a feedback's effect in flight goes, and the effect is cancelled`() async {
        let gate = Gate()
        let gone: (Weak<ViewStore<Feed, FeedEvent>>, Weak<System<Feed, FeedEvent>>)
        do {
            let reload = Feedback<Feed, FeedEvent>.while(\.isLoading) { _ in
                .run {
                    await gate.wait()
                    return .clear
                }
            }
            let system = System(
                initialState: Feed(isLoading: true), feedbacks: [reload],
                reducer: { (feed: inout Feed, _: FeedEvent) in feed.isLoading = false })
            let store = ViewStore(system)
            gone = (Weak(store), Weak(system))
            #expect(store.isLoading)
            for _ in 0..<5 { await Task.yield() }
            #expect(store.isLoading)
        }
        #expect(gone.0.object == nil)
        #expect(gone.1.object == nil)
        #expect(await gate.isCancelled())
    }
}
