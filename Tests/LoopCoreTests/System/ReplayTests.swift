import LoopCore
import Testing

@MainActor @Suite struct ReplayTests {
    struct Broken: Error {}
    enum Move: Sendable { case add(Int), work(Int), fail, nested }

    /// What the work of `system` did, and what its middleware saw.
    final class Seen {
        var worked = 0
        var steps: [String] = []
    }

    private func makeSystem(_ seen: Seen, feedbacks: [Feedback<Int, Move>] = []) -> System<Int, Move> {
        System(
            initialState: 0, feedbacks: feedbacks,
            next: { (state: Int, move: Move) -> Next<Int> in
                switch move {
                case .add(let number): return .state(state + number)
                case .work(let number):
                    return .run {
                        seen.worked += 1
                        return state + number
                    }.stateWhenLoading(-1)
                case .fail: return .run { throw Broken() }.stateWhenLoading(-2)
                case .nested: return Next<Int>.run { 1 }.flatMap { one in .run { one + 1 }.stateWhenLoading(-4) }.stateWhenLoading(-3)
                }
            }
        ).attach(
            Middleware(needs: .previousState) { step in
                let mark = step.isReplay ? "replay " : ""
                let outcome = step.outcome.map { $0.isFinished ? "" : $0.isCancelled ? " cancelled" : " failed" } ?? " loading"
                seen.steps.append("\(mark)#\(step.number) \(step.previousState.map { "\($0)" } ?? "") → \(step.state)\(outcome)")
            })
    }

    @Test func `steps of a replay say so, and those before and after do not`() async {
        let seen = Seen()
        let system = makeSystem(seen)
        #expect(system.beginReplay())
        #expect(system.isReplaying)
        await system.replay(.add(2), ended: .unknown)
        await system.replay(.add(3), ended: .unknown)
        system.endReplay()
        system.send(.add(1))
        #expect(seen.steps == ["#0  → 0", "replay #1 0 → 2", "replay #2 2 → 5", "#3 5 → 6"])
        #expect(!system.isReplaying && system.isSettled)
    }

    @Test func `work of which the end is not known runs anew, with all its loading states`() async {
        let seen = Seen()
        let system = makeSystem(seen)
        #expect(system.beginReplay())
        await system.replay(.work(4), ended: .unknown)
        await system.replay(.nested, ended: .unknown)
        await system.replay(.fail, ended: .unknown)
        system.endReplay()
        #expect(seen.worked == 1)
        #expect(
            seen.steps.dropFirst() == [
                "replay #1 0 → -1 loading", "replay #1 -1 → 4",
                "replay #2 4 → -3 loading", "replay #2 -3 → -4 loading", "replay #2 -4 → 2",
                "replay #3 2 → -2 loading", "replay #3 -2 → 2 failed",
            ])
    }

    @Test func `work of which the end is known does not run`() async {
        let seen = Seen()
        let system = makeSystem(seen)
        #expect(system.beginReplay())
        await system.replay(.work(4), ended: .settled(40))
        await system.replay(.work(4), ended: .failed(Broken()))
        await system.replay(.work(4), ended: .cancelled)
        // This event is reduced at once, so that its state is the reducer's and not the recorded 7.
        await system.replay(.add(2), ended: .settled(7))
        system.endReplay()
        #expect(seen.worked == 0)
        #expect(
            seen.steps.dropFirst() == [
                "replay #1 0 → -1 loading", "replay #1 -1 → 40",
                "replay #2 40 → -1 loading", "replay #2 -1 → 40 failed",
                "replay #3 40 → -1 loading", "replay #3 -1 → 40 cancelled",
                "replay #4 40 → 42",
            ])
    }

    @Test func `what is sent during a replay is dropped`() async {
        let seen = Seen()
        let system = makeSystem(seen)
        system.bind { [weak system] state in if state == 2 { system?.send(.add(100)) } }
        system.attach(Middleware { [weak system] step in if step.state == 5 { system?.send(.add(1_000)) } })
        let inbox = system.inbox()
        #expect(system.beginReplay())
        await system.replay(.add(2), ended: .unknown)
        inbox.send(.add(10_000))
        await system.replay(.add(3), ended: .unknown)
        system.endReplay()
        await system.settled()
        #expect(system.state == 5)
        #expect(system.eventNumber == 2)
    }

    @Test func `feedbacks see nothing of a replay but the state at its end`() async {
        let seen = Seen()
        var started: [Int] = []
        let feedback = Feedback<Int, Move>.onEachState { state in
            started.append(state)
            return state == 5 ? .event(.add(10)) : .none
        }
        let system = makeSystem(seen, feedbacks: [feedback])
        #expect(system.beginReplay())
        await system.replay(.add(5), ended: .unknown)
        await system.replay(.add(1), ended: .unknown)
        await system.replay(.add(-1), ended: .unknown)
        #expect(started == [])
        system.endReplay()
        await system.settled()
        #expect(started.first == 5)
        #expect(system.state == 15)
        #expect(seen.steps.last == "#4 5 → 15")
    }

    @Test func `only a system that has taken nothing replays`() async {
        let used = makeSystem(Seen())
        used.send(.add(1))
        #expect(!used.beginReplay())
        let stopped = makeSystem(Seen())
        stopped.stop()
        #expect(!stopped.beginReplay())
        let replaying = makeSystem(Seen())
        #expect(replaying.beginReplay())
        #expect(!replaying.beginReplay())
        replaying.endReplay()
        #expect(replaying.beginReplay())
    }

    @Test func `a system that is stopped in the middle of a replay takes nothing more`() async {
        let seen = Seen()
        let system = makeSystem(seen)
        system.bind { [weak system] state in if state == -1 { system?.stop() } }
        #expect(system.beginReplay())
        await system.replay(.add(1), ended: .unknown)
        await system.replay(.work(1), ended: .unknown)
        await system.replay(.add(1), ended: .unknown)
        system.endReplay()
        #expect(seen.steps.dropFirst() == ["replay #1 0 → 1", "replay #2 1 → -1 loading", "replay #2 -1 → -1 cancelled"])
        #expect(system.isStopped && !system.isReplaying && system.isSettled)
    }

    @Test func `a middleware of a part knows of the replay, too`() async {
        let seen = Seen()
        let part = Middleware<String, Int> { step in seen.steps.append("\(step.isReplay) \(step.number) \(step.state)") }
        let system = makeSystem(Seen()).attach(
            part.pullback(state: { "\($0)" }, event: { if case .add(let number) = $0 { number } else { nil } }))
        #expect(system.beginReplay())
        await system.replay(.add(2), ended: .unknown)
        await system.replay(.work(2), ended: .unknown)
        system.endReplay()
        system.send(.add(1))
        #expect(seen.steps == ["false 0 0", "true 1 2", "false 3 5"])
    }
}
