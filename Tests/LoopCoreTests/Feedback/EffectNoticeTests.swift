import LoopCore
import LoopMigration
import LoopTesting
import Testing

private enum Event: Equatable { case work, fail, giveUp, wait, leave, tick }
private struct Broken: Error {}

/// What middleware hears of effects, as lines of text.
@MainActor private final class Heard {
    var lines: [String] = []
    var notices: [EffectNotice<Event>] = []
    lazy var middleware = Middleware<Int, Event>(
        steps: { step in self.lines.append("\(step.phase) \(step.number)") },
        effects: { notice in
            self.notices.append(notice)
            self.lines.append(Self.line(notice))
        })

    static func line(_ notice: EffectNotice<Event>) -> String {
        let source =
            switch notice.source {
            case .next: "next"
            case .effect(let name): name
            }
        let end =
            switch notice.outcome {
            case nil: "begins"
            case .finished: "finished"
            case .failed(let error): "failed \(type(of: error))"
            case .cancelled: "cancelled"
            }
        return "\(notice.id) \(source) of \(notice.number) \(notice.event.map { "\($0)" } ?? "-") \(end)"
    }
}

@MainActor @Suite struct EffectNoticeTests {
    private let heard = Heard()
    private let time = ManualClock()
    private let gate = Gate()

    private func describing() -> System<Int, Event> {
        let (time, gate) = (time, gate)
        return System(
            initialState: 0, clock: time.clock,
            next: { (state: Int, event: Event) -> Next<Int> in
                switch event {
                case .work:
                    .run {
                        time.advance(by: .nanoseconds(5))
                        return state + 1
                    }.stateWhenLoading(-1)
                case .fail: .run { throw Broken() }
                case .giveUp: .run { throw CancellationError() }
                case .wait:
                    .run {
                        await gate.pass()
                        return state + 10
                    }
                case .leave, .tick: .state(0)
                }
            })
    }

    private func feeding(_ feedbacks: Feedback<Int, Event>...) -> System<Int, Event> {
        System(initialState: 0, clock: time.clock, feedbacks: feedbacks, reducer: { (state: inout Int, _: Event) in state += 1 })
    }

    @Test("the work of a Next begins after its loading state and has ended before its settled one")
    func next() async {
        let system = describing().attach(heard.middleware)
        system.send(.work)
        await system.settled()
        #expect(heard.lines == ["initial 0", "loading 1", "1 next of 1 work begins", "1 next of 1 work finished", "settled 1"])
        #expect(heard.notices.last?.duration == 5)
        #expect(heard.notices.map(\.beganAt) == [1_000_000_000, 1_000_000_000])
    }

    @Test("work ends as its event does", arguments: [(Event.fail, "failed Broken"), (.giveUp, "cancelled")])
    private func endings(event: Event, end: String) async {
        let system = describing().attach(heard.middleware)
        system.send(event)
        await system.settled()
        #expect(heard.lines.suffix(2) == ["1 next of 1 \(event) \(end)", "settled 1"])
    }

    @Test("work of several stages is one effect")
    func stages() async {
        let system = System<Int, Event>(
            initialState: 0,
            next: { (_: Int, _: Event) -> Next<Int> in
                Next<Int>.run { 1 }.flatMap { n in Next<Int>.run { n + 1 }.stateWhenLoading(n) }
            })
        system.attach(heard.middleware)
        system.send(.work)
        await system.settled()
        #expect(system.state == 2)
        #expect(heard.lines == ["initial 0", "1 next of 1 work begins", "loading 1", "1 next of 1 work finished", "settled 1"])
    }

    @Test("an event that is reduced at once has no effect")
    func atOnce() {
        describing().attach(heard.middleware).send(.leave)
        #expect(heard.lines == ["initial 0", "settled 1"])
    }

    @Test("stopping the system ends the work before the last step")
    func stop() async {
        let system = describing().attach(heard.middleware)
        system.send(.wait)
        await gate.whenEntered(1)
        system.stop()
        gate.open()
        #expect(heard.lines == ["initial 0", "1 next of 1 wait begins", "1 next of 1 wait cancelled", "settled 1"])
    }

    @Test("a middleware that stops the system as work begins ends the work, which never runs")
    func stopAtBeginning() async {
        let system = describing()
        system.attach(heard.middleware)
        system.attach(
            Middleware(steps: { _ in }, effects: { [weak system] in if $0.outcome == nil { system?.stop() } }))
        system.send(.wait)
        await system.settled()
        #expect(gate.entered == 0)
        #expect(heard.lines == ["initial 0", "1 next of 1 wait begins", "1 next of 1 wait cancelled", "settled 1"])
    }

    @Test("what a middleware sends on hearing of an effect is reduced after the step, in order")
    func sending() async {
        let system = describing()
        system.attach(
            Middleware(steps: { _ in }, effects: { [unowned system] _ in system.send(.tick) }))
        system.attach(heard.middleware)
        system.send(.work)
        await system.settled()
        #expect(
            heard.lines == [
                "initial 0", "loading 1", "1 next of 1 work begins", "1 next of 1 work finished", "settled 1", "settled 2", "settled 3",
            ])
    }

    @Test("a feedback's effect is told with the event that started it, after its step, and ends when the event it sent was taken")
    func feedback() async {
        let time = time
        let system = feeding(
            Feedback.compacting(events: { (event: Event) -> Event? in event == .work ? event : nil }) { (_: Event) async -> Event? in
                await Task.yield()
                time.advance(by: .nanoseconds(9))
                return .tick
            }.named("search"))
        system.attach(heard.middleware)
        system.send(.work)
        await system.settled()
        #expect(heard.lines == ["initial 0", "settled 1", "1 search of 1 work begins", "settled 2", "1 search of 1 work finished"])
        #expect(heard.notices.last?.duration == 9)
    }

    @Test("feedbacks without a name go by their place; names given inside a combination stay")
    func names() {
        let each = Feedback<Int, Event>.middleware(event: { (_: Event) in Effect<Event>.attached { _ in {} } })
        feeding(each, .combine(each.named("own"), each).named("both"), each).attach(heard.middleware).send(.leave)
        #expect(
            heard.notices.map(\.source) == [.effect("feedback 1"), .effect("own"), .effect("both"), .effect("feedback 4")])
    }

    @Test func `a cancellation is no effect of its own, whoever asks for it`() {
        let waiting = Feedback<Int, Event>.onEachEvent { _, event in
            event == .wait ? Effect<Event>.attached { _ in {} }.id("wait") : .cancel("wait")
        }
        let system = feeding(waiting).attach(heard.middleware)
        system.send(.wait)
        system.send(.leave)
        #expect(heard.notices.map(Heard.line) == ["1 wait of 1 wait begins", "1 wait of 1 wait cancelled"])
    }

    @Test func `effects that end together end in the order in which they began`() {
        let many = Feedback<Int, Event>.while({ $0 == 1 }) { _ in
            .merge((1...20).map { number in Effect<Event>.attached { _ in {} }.id(EffectID(number)) })
        }
        let system = feeding(many).attach(heard.middleware)
        for _ in 1...2 { system.send(.tick) }
        #expect(heard.notices.filter { $0.outcome != nil }.map(\.id) == Array(1...20))
    }

    @Test("the name of a part's feedback is its name in the whole")
    func pullback() {
        let part = Feedback<Int, Event>.middleware(event: { (_: Event) in Effect<Event>.attached { _ in {} } }).named("part")
        feeding(part.pullback(state: { $0 }, event: .whole)).attach(heard.middleware).send(.leave)
        #expect(heard.notices.map(\.source) == [.effect("part")])
    }

    @Test("what the initial state starts has the number 0 and no event")
    func initial() async {
        let system = feeding(.custom { _, outlet in outlet.send(.tick) })
        system.attach(heard.middleware)
        system.start()
        while heard.lines.count < 4 { await Task.yield() }
        #expect(heard.lines == ["initial 0", "1 feedback 1 of 0 - begins", "settled 1", "1 feedback 1 of 0 - finished"])
    }

    @Test("a replaced effect has ended before the one that replaces it begins, and a stop ends the last")
    func replaced() async {
        let gate = gate
        let system = feeding(
            .compacting(events: { $0 }) { (_: Event) -> Event? in
                await gate.pass()
                return nil
            })
        system.attach(heard.middleware)
        system.send(.work)
        system.send(.wait)
        system.stop()
        gate.open()
        #expect(
            heard.lines == [
                "initial 0", "settled 1", "1 feedback 1 of 1 work begins", "settled 2", "1 feedback 1 of 1 work cancelled",
                "2 feedback 1 of 2 wait begins", "2 feedback 1 of 2 wait cancelled",
            ])
    }

    @Test("a merged effect ends with its last part, and as failed if one of them failed")
    func merged() async {
        let gate = gate
        let effect = Effect<Event>.merge([
            .run { throw Broken() },
            .run {
                await gate.pass()
                return nil
            }, .event(.tick),
        ])
        let system = feeding(.compacting(events: { $0 == .work ? 1 : nil }) { (_: Int) in effect })
        system.attach(heard.middleware)
        system.send(.work)
        await gate.whenEntered(1)
        #expect(heard.notices.count == 1)
        gate.open()
        await system.settled()
        #expect(heard.lines.last == "1 feedback 1 of 1 work failed Broken")
        #expect(heard.notices.count == 2)
    }

    @Test("a source ends when it is cancelled; a sequence ends by itself")
    func sources() async {
        let system = feeding(
            Feedback.always { .attached { _ in {} } }.named("source"),
            Feedback.compacting(events: { $0 == .work ? 1 : nil }) { (_: Int) in
                .stream { AsyncStream { $0.finish() } }
            }.named("stream"))
        system.attach(heard.middleware)
        system.send(.work)
        while heard.notices.count < 3 { await Task.yield() }
        #expect(heard.notices.last.map(Heard.line) == "2 stream of 1 work finished")
        system.stop()
        #expect(heard.notices.last.map(Heard.line) == "1 source of 0 - cancelled")
    }

    @Test("every effect that began has ended once, whatever becomes of it")
    func balance() async {
        let system = feeding(
            .compacting(events: { $0 }) { (event: Event) async throws -> Event? in
                await Task.yield()
                if event == .fail { throw Broken() }
                return event == .work ? .tick : nil
            },
            .middleware(event: { (event: Event) in event == .tick ? .none : .events([]) }))
        system.attach(heard.middleware)
        for event in [Event.work, .fail, .work, .leave, .tick, .wait] {
            system.send(event)
            if event == .fail { await system.settled() }
        }
        await system.settled()
        system.stop()
        let began = heard.notices.filter { $0.outcome == nil }.map(\.id)
        #expect(began == Array(1...began.count))
        #expect(heard.notices.filter { $0.outcome != nil }.map(\.id).sorted() == began)
    }

    @Test("a middleware that does not ask is not told, and no clock is read for it")
    func unasked() async {
        let reads = Counter()
        let system = System<Int, Event>(
            initialState: 0, clock: StepClock { reads.next() }, feedbacks: [.middleware(event: { (_: Event) in .event(.tick) })],
            maxFeedbackEvents: 3, reducer: { (state: inout Int, _: Event) in state += 1 })
        system.attach(Middleware(needs: []) { _ in .init(step: { _ in }, effect: { _ in Issue.record("was told") }) })
        system.send(.leave)
        #expect(reads.next() == 1)
    }

    @Test("there is no notice of an effect that began before anybody asked, and no end notice after the last watcher has gone")
    func lateAndGone() async {
        let gate = gate
        let system = feeding(
            .middleware(event: { (_: Event) in
                .run {
                    await gate.pass()
                    return nil
                }
            }))
        system.send(.work)
        await gate.whenEntered(1)
        system.attach(heard.middleware)
        system.send(.leave)
        await gate.whenEntered(2)
        #expect(heard.notices.map(Heard.line) == ["1 feedback 1 of 2 leave begins"])
        system.detach(heard.middleware)
        gate.open()
        await system.settled()
        #expect(heard.notices.count == 1)
    }

    @Test("a filter lets notices pass, a sample takes those of its events, a pullback those that mean something to the part")
    func combinators() async {
        let system = feeding(
            .middleware(event: { (_: Event) in .events([]) }))
        var parts: [String] = []
        let part = Middleware<Int, String>(steps: { _ in }, effects: { if $0.outcome != nil { parts.append("\($0.event ?? "-")") } })
        let sampled = Heard()
        system.attach(
            heard.middleware.filter { _ in false }, sampled.middleware.sampled(every: 2),
            part.pullback(state: { $0 }, event: { $0 == .leave ? nil : "\($0)" }))
        for event in [Event.leave, .tick, .work] { system.send(event) }
        #expect(heard.notices.map(\.number) == [1, 1, 2, 2, 3, 3])
        #expect(sampled.notices.map(\.number) == [1, 1, 3, 3])
        #expect(parts == ["tick", "work"])
    }

    @Test("of several combined middleware, only those that asked hear of effects")
    func combined() {
        var told: [Int] = []
        func hearing(_ id: Int, _ needs: MiddlewareNeeds) -> Middleware<Int, Event> {
            Middleware(needs: needs) { _ in .init(step: { _ in }, effect: { if $0.outcome == nil { told.append(id) } }) }
        }
        let system = feeding(.middleware(event: { (_: Event) in .events([]) }))
        system.attach(.combined(hearing(1, .effects), hearing(2, []), Middleware { _ in }, hearing(4, [.effects, .timing])))
        system.send(.leave)
        #expect(told == [1, 4])
    }
}
