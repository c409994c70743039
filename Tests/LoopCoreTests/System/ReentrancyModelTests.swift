import LoopCore
import Testing

/// Random calls of a system, from all code that the system calls, compared with its promises.
///
/// `System` leaves out run-time checks of exclusive access, so that a fault may spoil memory unseen: `.ci/nightly memory` runs this under
/// the address sanitizer.
@MainActor @Suite struct ReentrancyModelTests {
    @Test(arguments: 0..<20)
    func `whatever is called from wherever, events keep their order and watchers see each state once`(block: UInt64) {
        for seed in block * 50..<(block + 1) * 50 {
            let play = Play(seed: seed)
            play.run()
            let broken = play.broken
            #expect(broken.isEmpty, "seed \(seed)")
            if !broken.isEmpty { return }
        }
    }
}

private struct Event {
    let number: Int
    let held: Ending?
}

private struct State {
    var number = 0
    var held: Ending?
}

/// The owner of a binding.
private final class Owner {
    let watcher: Watcher

    init(_ watcher: Watcher) { self.watcher = watcher }

    deinit { watcher.hasLeft = true }
}

private final class Watcher {
    let isBinding: Bool
    var hasLeft = false
    /// Whether it has not been shown yet the state that was there when it came.
    var isNew = true
    /// The number of the last event whose state it was shown, or of the last event before it came.
    var seen: Int

    init(isBinding: Bool, seen: Int) {
        self.isBinding = isBinding
        self.seen = seen
    }
}

/// One system, and who calls it at random.
@MainActor private final class Play {
    private(set) var broken: [String] = []
    private var random: Numbers
    private var system: System<State, Event>!
    /// The numbers of the events in the order of their sending, and in that of their reducing.
    private var sent: [Int] = []
    private var reduced: [Int] = []
    private var dropped = 0
    private var attached: [(Middleware<State, Event>, Watcher)] = []
    private var bound: [(Binding<State>, Watcher)] = []
    private var owners: [Owner] = []
    /// How many calls are left; without a limit the run would not end.
    private var calls = 80
    private var isReducing = false
    /// Whether a watcher is shown something.
    private var isShowing = false
    /// The last event whose state a middleware was shown.
    private var shownToMiddleware = 0

    init(seed: UInt64) { random = Numbers(state: seed &* 0x9E37_79B9_7F4A_7C15) }

    func run() {
        system = System(
            initialState: State(), history: chance(30) ? .last(2) : .off,
            reducer: { [unowned self] (state: inout State, event: Event) in reduce(&state, event) })
        while calls > 0 {
            act()
            require(reduced.count == sent.count - dropped, "something waits after a call has returned")
        }
        require(reduced == Array(sent.prefix(reduced.count)), "the order of sending is not that of reducing")
        require(system.isStopped || dropped == 0 && reduced.count == sent.count, "an event is lost")
        require(system.eventNumber == reduced.count, "the numbers have holes")
        system = nil
    }

    private func require(_ isTrue: Bool, _ what: String) { if !isTrue { broken.append(what) } }

    private func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    private func chance(_ percent: Int) -> Bool { number(100) < percent }

    private func reduce(_ state: inout State, _ event: Event) {
        require(!isShowing, "an event is reduced while a watcher is shown a state")
        reduced.append(event.number)
        isReducing = true
        if chance(20) { act() }
        // What the old state held is released here, inside the reducer.
        state = State(number: reduced.count, held: chance(30) ? makeEnding() : nil)
        isReducing = false
    }

    /// Something whose end calls the system.
    private func makeEnding() -> Ending { Ending { [weak self] in MainActor.assumeIsolated { self?.act() } } }

    private func act() {
        guard calls > 0, system != nil else { return }
        calls -= 1
        switch number(isReducing ? 6 : 12) {
        case 0...2: send()
        case 3: if !attached.isEmpty { detach() }
        case 4: if !bound.isEmpty { remove() }
        case 5: if chance(5) { dropped += system.stop() }
        case 6: attach()
        case 7: bind()
        case 8: bindWeakly()
        case 9: if !owners.isEmpty { owners.remove(at: number(owners.count)) }
        case 10: require(system.history.allSatisfy { $0.number <= reduced.count }, "the history knows more than happened")
        default: require(system.state.number == reduced.count, "the state is not that of the last event")
        }
    }

    private func send() {
        guard !system.isStopped else { return system.send(Event(number: -1, held: nil)) }
        sent.append(sent.count)
        system.send(Event(number: sent.count - 1, held: chance(30) ? makeEnding() : nil))
    }

    private func attach() {
        let watcher = Watcher(isBinding: false, seen: reduced.count)
        let needs: MiddlewareNeeds = [[], .previousState, .timing, [.timing, .middlewareTime]][number(4)]
        let middleware = Middleware<State, Event>(
            needs: needs,
            makingHandler: { [unowned self] _ in
                let showing = makeShowing(to: watcher)
                return { step in showing(step.state) }
            })
        attached.append((middleware, watcher))
        system.attach(middleware)
    }

    private func detach() {
        let (middleware, watcher) = attached.remove(at: number(attached.count))
        watcher.hasLeft = true
        system.detach(middleware)
    }

    private func bind() {
        let watcher = Watcher(isBinding: true, seen: reduced.count)
        bound.append((system.addBinding(makeShowing(to: watcher)), watcher))
    }

    private func remove() {
        let (binding, watcher) = bound.remove(at: number(bound.count))
        watcher.hasLeft = true
        system.remove(binding)
    }

    private func bindWeakly() {
        let watcher = Watcher(isBinding: true, seen: reduced.count)
        let owner = Owner(watcher)
        if chance(80) { owners.append(owner) }
        let showing = makeShowing(to: watcher)
        system.bind(weakly: owner) { _, state in showing(state) }
    }

    /// The closure that is called with each state. It may hold an `Ending`, which calls the system when the closure is released.
    private func makeShowing(to watcher: Watcher) -> (State) -> Void {
        let ending = chance(50) ? makeEnding() : nil
        return { [unowned self] state in withExtendedLifetime(ending) { show(state, to: watcher) } }
    }

    private func show(_ state: State, to watcher: Watcher) {
        require(!isReducing, "a watcher is called inside the reducer")
        require(!watcher.hasLeft, "one that has left is called")
        require(state.number == reduced.count, "a state is shown late")
        if watcher.isNew {
            watcher.isNew = false
        } else {
            require(!isShowing, "a step nests in another")
            require(state.number == watcher.seen + 1, "a watcher is shown \(state.number) after \(watcher.seen)")
            if !watcher.isBinding { shownToMiddleware = state.number }
            require(!watcher.isBinding || shownToMiddleware < state.number, "a binding is called after a middleware")
        }
        watcher.seen = state.number
        let wasShowing = isShowing
        isShowing = true
        while chance(25) && calls > 0 { act() }
        isShowing = wasShowing
    }
}
