import LoopCore
import LoopTesting
import TestSupport
import Testing

private enum Login {
    struct State: Equatable {
        var name = "ada"
        var isBusy = false
        var token: String?
        var log: [String] = []
    }

    enum Event: Equatable { case submit, leave, answered(String), note(String), later(String) }

    static func reducer(_ signIn: @escaping (String) async throws -> String) -> Reducer<State, Event> {
        Reducer { state, event in
            switch event {
            case .submit:
                state.isBusy = true
                return .run { [name = state.name] in .answered(try await signIn(name)) }.id("sign in")
            case .leave:
                state.isBusy = false
                return .cancel("sign in")
            case .answered(let token):
                state.isBusy = false
                state.token = token
                return .none
            case .note(let text):
                state.log.append(text)
                return .none
            case .later(let text): return .event(.note(text)).delayed(by: .milliseconds(300)).id("later")
            }
        }
    }
}

/// Effects that a reducer returns.
@MainActor @Suite struct ReducerEffectTests {
    @Test("a reducer's effect brings its event, and settled() waits for it")
    func run() async {
        let system = System(initialState: Login.State(), reducer: Login.reducer { "token of \($0)" })
        system.send(.submit)
        #expect(system.state.isBusy && !system.isSettled)
        await system.settled()
        #expect(system.state == Login.State(token: "token of ada"))
    }

    @Test("a name cancels the work, whose late answer is dropped")
    func cancel() async {
        let gate = Gate()
        let system = System(
            initialState: Login.State(),
            reducer: Login.reducer { _ in
                await gate.pass()
                return "late"
            })
        system.send(.submit)
        await gate.whenEntered(1)
        system.send(.leave)
        #expect(system.isSettled)
        gate.open()
        for _ in 0..<5 { await Task.yield() }
        #expect(system.state == Login.State())
    }

    @Test(
        "policies: a running effect is replaced, is joined, or stays alone",
        arguments: [(EffectPolicy.replacing, "2"), (.beside, "12"), (.ignoredWhileRunning, "1")])
    func policies(policy: EffectPolicy, expected: String) async {
        let gate = Gate()
        let system = System<String, Int>(initialState: "") { state, event in
            if event > 10 {
                state += "\(event - 10)"
                return .none
            }
            return .run {
                await gate.pass()
                return event + 10
            }.id("work", policy)
        }
        system.send(1)
        await gate.whenEntered(1)
        system.send(2)
        for _ in 0..<5 { await Task.yield() }
        gate.open()
        await system.settled()
        #expect(system.state == expected)
    }

    @Test("a replacement and a cancellation remove the events that wait", arguments: [(true, [0, 1, 3, 20, 21]), (false, [0, 1, 2, 3])])
    func waiting(isReplaced: Bool, expected: [Int]) {
        let system = System<[Int], Int>(initialState: []) { state, event in
            state.append(event)
            switch event {
            case 0: return .events([1, 10, 11]).id("burst")
            // Sent from a binding, so it stands behind the burst.
            case 1: return isReplaced ? .events([20, 21]).id("burst") : .cancel("burst")
            default: return .none
            }
        }
        var sent = false
        system.bind { [unowned system] state in
            if state == [0], !sent {
                sent = true
                if !isReplaced { system.send(2) }
                system.send(3)
            }
        }
        system.send(0)
        #expect(system.state.sorted() == expected.sorted())
        #expect(!system.state.contains(10) && !system.state.contains(11))
    }

    @Test("within a step: state, bindings, middleware, the reducer's effects, then feedbacks")
    func order() {
        var log: [String] = []
        let system = System<Int, Int>(
            initialState: 0,
            feedbacks: [
                .onEachEvent { _, event in
                    log.append("feedback \(event)")
                    return event == 1 ? .event(3) : .none
                }
            ],
            reducer: { (state: inout Int, event: Int) -> Effect<Int> in
                state = event
                log.append("reduce \(event)")
                return event == 1
                    ? .merge([
                        .attached { _ in
                            log.append("effect")
                            return {}
                        }, .event(2),
                    ]) : .none
            })
        system.bind { log.append("binding \($0)") }
        system.attach(Middleware { log.append("middleware \($0.state)") })
        log = []
        system.send(1)
        #expect(log.prefix(5) == ["reduce 1", "binding 1", "middleware 1", "effect", "feedback 1"])
        #expect(log.filter { $0.hasPrefix("reduce") } == ["reduce 1", "reduce 2", "reduce 3"])
        system.stop()
    }

    @Test("an effect that throws makes a step of its own, and the state stays")
    func failing() async {
        struct Broken: Error {}
        let system = System(initialState: Login.State(), reducer: Login.reducer { _ in throw Broken() })
        let recorder = StepRecorder<Login.State, Login.Event>()
        system.attach(recorder.middleware)
        system.send(.submit)
        await system.settled()
        #expect(recorder.phases == [.initial, .settled, .effectFailed])
        #expect(recorder.errors.count == 1 && system.state.isBusy)
    }

    @Test("a delayed effect with a name is a debounce, on the clock of the test")
    func delayed() async {
        let clock = ManualClock()
        let system = System(initialState: Login.State(), clock: StepClock(clock), reducer: Login.reducer { $0 })
        let test = TestSystem(system)
        await test.send(.later("a"))
        await clock.whenSleeping()
        clock.advance(by: .milliseconds(200))
        await test.send(.later("b"))
        await clock.whenSleeping()
        clock.advance(by: .milliseconds(200))
        for _ in 0..<5 { await Task.yield() }
        #expect(system.state.log.isEmpty)
        clock.advance(by: .milliseconds(100))
        await test.receive(.note("b")) { $0.log = ["b"] }
        await test.finish()
    }

    @Test("a test double receives what an effect brings")
    func double() async {
        let test = TestSystem(System(initialState: Login.State(), reducer: Login.reducer { $0 + "!" }))
        await test.send(.submit) { $0.isBusy = true }
        await test.receive(.answered("ada!")) {
            $0.isBusy = false
            $0.token = "ada!"
        }
        await test.finish()
    }

    @Test("events that reducers send each other for ever are stopped like those of feedbacks")
    func runaway() {
        let system = System<Int, Int>(initialState: 0, maxFeedbackEvents: 10) { state, _ in
            state += 1
            return .event(0)
        }
        let recorder = StepRecorder<Int, Int>()
        system.attach(recorder.middleware)
        system.send(0)
        #expect(system.state == 11)
        #expect(recorder.errors.map { "\($0)" }.first?.hasPrefix("runaway feedback: 10 events in a row") == true)
        system.send(0)
        #expect(system.state == 22)
    }

    @Test("reducers in all(_:) return the effects of each, in their order")
    func together() {
        let one = Reducer<[Int], Int> { state, event in
            state.append(event)
            return event == 0 ? .event(1) : .none
        }
        let two = Reducer<[Int], Int> { _, event in event == 0 ? .events([2, 3]) : .none }
        let system = System(initialState: [], reducer: .all(one, two))
        system.send(0)
        #expect(system.state == [0, 1, 2, 3])
    }

    @Test("beside a reducer that describes work, effects begin when the work has finished, and not if it failed", arguments: [true, false])
    func besideNext(fails: Bool) async {
        struct Broken: Error {}
        let describing = Reducer<[Int], Int>(next: { state, event in
            event == 0
                ? .run {
                    if fails { throw Broken() }
                    return state + [event]
                } : .state(state + [event])
        })
        let effecting = Reducer<[Int], Int> { _, event in event == 0 ? .event(1) : .none }
        let system = System(initialState: [], reducer: .all(describing, effecting))
        system.send(0)
        #expect(system.state == [])
        await system.settled()
        #expect(system.state == (fails ? [] : [0, 1]))
    }

    // MARK: Parts

    private struct App: Equatable {
        var first = Login.State()
        var second: Login.State? = Login.State()
    }

    private enum AppEvent: Equatable { case first(Login.Event), second(Login.Event), close, open }

    private static let first = Part(\App.first, AppEvent.first)
    private static let second = Part(\App.second, AppEvent.second)

    private static func reducer(_ gate: Gate) -> Reducer<App, AppEvent> {
        let login = Login.reducer { name in
            await gate.pass()
            return name
        }
        return .all(
            login.on(first), login.on(second),
            Reducer { (app: inout App, event: AppEvent) in
                switch event {
                case .close: app.second = nil
                case .open: app.second = Login.State()
                case .first, .second: break
                }
            })
    }

    @Test("two parts use one name, and do not cancel each other's effects")
    func namesOfParts() async {
        let gate = Gate()
        let system = System(initialState: App(), reducer: Self.reducer(gate))
        system.send(.first(.submit))
        system.send(.second(.submit))
        await gate.whenEntered(2)
        system.send(.second(.leave))
        gate.open()
        await system.settled()
        #expect(system.state.first.token == "ada")
        #expect(system.state.second == Login.State())
    }

    @Test("a part that goes missing ends its effects, and finds none when it comes again")
    func missing() async {
        let gate = Gate()
        let system = System(initialState: App(), reducer: Self.reducer(gate))
        system.send(.second(.submit))
        await gate.whenEntered(1)
        system.send(.close)
        #expect(system.isSettled)
        system.send(.open)
        gate.open()
        for _ in 0..<5 { await Task.yield() }
        #expect(system.state == App())
    }

    @Test("the event of a part that goes missing before its turn is removed")
    func missingEvent() {
        let part = Reducer<Int, Int> { state, event in
            state += event
            return event == 1 ? .event(5) : .none
        }
        enum Event { case part(Int), set(Int?) }
        struct Whole: Equatable { var part: Int? = 0 }
        let place = Part(\Whole.part, Event.part)
        let system = System(
            initialState: Whole(),
            reducer: .all(
                part.on(place),
                Reducer { (whole: inout Whole, event: Event) in if case .set(let value) = event { whole.part = value } }))
        system.bind { [unowned system] whole in
            if whole.part == 1 {
                system.send(.set(nil))
                system.send(.set(100))
            }
        }
        system.send(.part(1))
        // The 5 was queued behind what the binding sent, and went with the part.
        #expect(system.state == Whole(part: 100))
    }

    private struct Row: Equatable {
        let id: Int
        var text = ""
    }

    private struct List: Equatable { var rows = [Row(id: 1), Row(id: 2)] }

    private enum RowAction { case load, loaded(String) }

    private enum ListEvent { case row(Int, RowAction), remove(Int) }

    private static let rows = Part(each: \List.rows, id: \.id, ListEvent.row)

    @Test("rows have effects of their own, which end with their row")
    func rows() async {
        let gate = Gate()
        let row = Reducer<Row, RowAction> { row, event in
            switch event {
            case .load:
                return .run { [id = row.id] in
                    await gate.pass()
                    return .loaded("row \(id)")
                }.id("load")
            case .loaded(let text):
                row.text = text
                return .none
            }
        }
        let system = System(
            initialState: List(),
            reducer: .all(
                row.on(Self.rows),
                Reducer { (list: inout List, event: ListEvent) in
                    if case .remove(let id) = event { list.rows.removeAll { $0.id == id } }
                }))
        system.send(.row(1, .load))
        system.send(.row(2, .load))
        await gate.whenEntered(2)
        #expect(system.runningEffects == 2)
        system.send(.remove(1))
        #expect(system.runningEffects == 1)
        gate.open()
        await system.settled()
        #expect(system.state.rows == [Row(id: 2, text: "row 2")])
    }

    /// A row that counts how often it is asked for its id.
    private struct CountedRow {
        nonisolated(unsafe) static var looks = 0
        let number: Int
        var id: Int {
            Self.looks += 1
            return number
        }
    }

    @Test("an event of another part looks at the rows whose effects run, and at none afterwards", arguments: [2, 100])
    func looksAtRows(running: Int) async {
        enum Event { case row(Int, Bool), other }
        let gate = Gate()
        let row = Reducer<CountedRow, Bool> { _, begins in
            begins
                ? .run {
                    await gate.pass()
                    return false
                } : .none
        }
        let system = System(
            initialState: (0..<100).map(CountedRow.init), reducer: row.on(Part(each: \.self, id: \.id, Event.row)))
        for number in 0..<running { system.send(.row(number, true)) }
        await gate.whenEntered(running)
        CountedRow.looks = 0
        system.send(.other)
        #expect(CountedRow.looks <= 2 * running)
        gate.open()
        await system.settled()
        system.send(.other)
        CountedRow.looks = 0
        system.send(.other)
        #expect(CountedRow.looks == 0)
    }

    /// An id that counts how often it is compared.
    private struct CountedID: Hashable, Sendable {
        nonisolated(unsafe) static var comparisons = 0
        let number: Int

        static func == (a: CountedID, b: CountedID) -> Bool {
            comparisons += 1
            return a.number == b.number
        }

        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    @Test("when rows with effects are replaced, each is compared with a few others, not with all")
    func replacedRows() {
        struct Row { let id: CountedID }
        enum Event { case row(CountedID, Int), show(Range<Int>) }
        let count = 1_000
        let feedback = Feedback<Row, Int>.always { .attached { _ in {} } }
        let system = System<[Row], Event>(
            initialState: [], feedbacks: [feedback.on(Part(each: \.self, id: \.id, Event.row))],
            reducer: { (rows: inout [Row], event: Event) in
                if case .show(let numbers) = event { rows = numbers.map { Row(id: CountedID(number: $0)) } }
            })
        system.send(.show(0..<count))
        #expect(system.runningEffects == count)
        CountedID.comparisons = 0
        system.send(.show(count..<2 * count))
        #expect(system.runningEffects == count)
        #expect(CountedID.comparisons < 100 * count)
        system.send(.show(0..<0))
        #expect(system.runningEffects == 0)
    }

    @Test("rows within rows end with the row that holds them, and with it alone")
    func nestedRows() {
        struct Cell: Equatable { let id: Int }
        struct Line: Equatable {
            let id: Int
            var cells = [Cell(id: 1), Cell(id: 2)]
        }
        enum LineEvent { case cell(Int, Int) }
        enum Event { case line(Int, LineEvent), set([Line]) }
        var log: [String] = []
        let feedback = Feedback<Cell, Int>.always {
            .attached { _ in
                log.append("on")
                return { log.append("off") }
            }
        }
        let lines = feedback.on(Part(each: \Line.cells, id: \.id, LineEvent.cell)).on(Part(each: \[Line].self, id: \.id, Event.line))
        let system = System<[Line], Event>(
            initialState: [Line(id: 1), Line(id: 2), Line(id: 3)], feedbacks: [lines],
            reducer: { (lines: inout [Line], event: Event) in if case .set(let next) = event { lines = next } })
        system.start()
        #expect(log.count == 6 && system.runningEffects == 6)
        log = []
        system.send(.set([Line(id: 2), Line(id: 3, cells: [Cell(id: 2)])]))
        #expect(log == ["off", "off", "off"] && system.runningEffects == 3)
    }

    @Test func `a value that is no number is no change at each step`() {
        var starts = 0
        let system = System(
            initialState: 0.0,
            feedbacks: [
                Feedback<Double, Double>.onChange(of: { $0 }) { _ in
                    starts += 1
                    return .none
                }
            ], reducer: { (state: inout Double, event: Double) in state = event })
        system.start()
        for value in [Double.nan, .nan, .nan, 1, .nan] { system.send(value) }
        #expect(starts == 4)
    }

    @Test("a feedback on rows starts for each row, replaces within it, and ends with it")
    func feedbackOnRows() async {
        var log: [String] = []
        let feedback = Feedback<Row, RowAction>.onChange(of: \.text) { text in
            .attached { _ in
                log.append("on \(text)")
                return { log.append("off \(text)") }
            }
        }
        let system = System(
            initialState: List(rows: [Row(id: 1, text: "a"), Row(id: 2, text: "b")]), feedbacks: [feedback.on(Self.rows)],
            reducer: { (list: inout List, event: ListEvent) in
                switch event {
                case .row(let id, .loaded(let text)): list.rows[id - 1].text = text
                case .row: break
                case .remove(let id): list.rows.removeAll { $0.id == id }
                }
            })
        system.start()
        #expect(log == ["on a", "on b"])
        system.send(.row(1, .loaded("c")))
        #expect(log == ["on a", "on b", "off a", "on c"])
        system.send(.remove(2))
        #expect(log.last == "off b")
        system.stop()
        #expect(log.last == "off c")
    }

    // MARK: Names of feedbacks' effects and of work

    @Test("a reducer cancels by name what a feedback started")
    func feedbackName() {
        let system = System<Int, Int>(
            initialState: 0, feedbacks: [.always { .attached { _ in {} }.id("source") }],
            reducer: { (state: inout Int, event: Int) -> Effect<Int> in .cancel("source") })
        system.start()
        #expect(system.runningEffects == 1)
        system.send(1)
        #expect(system.runningEffects == 0)
    }

    @Test("what a feedback started under a name ends when the feedback's condition does")
    func feedbackEndsNamed() {
        let system = System<Int, Int>(
            initialState: 0, feedbacks: [.while({ $0 == 1 }) { _ in .attached { _ in {} }.id("source") }], reducer: { $0 = $1 })
        system.send(1)
        #expect(system.runningEffects == 1)
        system.send(2)
        #expect(system.runningEffects == 0)
    }

    @Test("an event that interrupts ends the work, which undoes its state, and is taken before those that wait")
    func interrupts() async {
        let gate = Gate()
        let reducer = Reducer<String, String>(next: { state, event in
            if event != "work" { return .state(state + event) }
            return .run {
                await gate.pass()
                return state + "late"
            }.stateWhenLoading("loading")
        }).interrupts { $0 == "leave" }
        let system = System(initialState: "", reducer: reducer)
        let recorder = StepRecorder<String, String>()
        system.attach(recorder.middleware)
        system.send("work")
        await gate.whenEntered(1)
        system.send("wait")
        #expect(system.state == "loading")
        system.send("leave")
        #expect(system.state == "leavewait")
        #expect(recorder.states == ["", "loading", "", "leave", "leavewait"])
        gate.open()
        await system.settled()
        #expect(system.state == "leavewait" && recorder.errors.isEmpty)
    }

    @Test("each waiting event is asked once whether it interrupts, whatever work it waits for, and interrupts the one under way")
    func interruptsLater() async {
        let gate = Gate()
        var asked = 0
        let reducer = Reducer<String, String>(next: { state, event in
            if !event.hasPrefix("work") { return .state(state + event) }
            return .run {
                await gate.pass()
                return state + event
            }
        }).interrupts {
            asked += 1
            return $0 == "leave"
        }
        let system = System(initialState: "", reducer: reducer)
        for event in ["work1", "work2", "a", "b"] { system.send(event) }
        #expect(asked == 3)
        for count in 1...2 {
            await gate.whenEntered(count)
            gate.open()
        }
        await system.settled()
        #expect(system.state == "work1work2ab" && asked == 3)
        for event in ["work3", "c", "leave", "d"] { system.send(event) }
        #expect(system.state == "work1work2ableavecd" && asked == 5)
    }

    @Test("the origin of an effect's event is the line that made the effect, and an event that the effect holds has none")
    func originsOfEffects() async {
        let line: UInt = #line + 3
        let reducer = Reducer<Int, Int> { state, event in
            state = event
            return event == 1 ? .run { 2 } : event == 2 ? .event(3) : .none
        }
        let system = System(initialState: 0, reducer: reducer)
        var origins: [SendOrigin?] = []
        system.attach(Middleware { step in if step.event ?? 0 > 1 { origins.append(step.origin) } })
        system.send(1)
        await system.settled()
        #expect(system.state == 3 && origins.map { $0?.line } == [line, nil])
    }

    @Test("a Next is cancelled by its name, also by a timer that a feedback starts")
    func cancelledNext() async {
        let gate = Gate()
        let clock = ManualClock()
        let system = System<String, Int>(
            initialState: "", clock: StepClock(clock),
            feedbacks: [.while({ $0 == "loading" }) { _ in .cancel("work").delayed(by: .seconds(10)) }],
            next: { state, event in
                .run {
                    await gate.pass()
                    return "done"
                }.stateWhenLoading("loading").id("work")
            })
        system.send(1)
        await gate.whenEntered(1)
        await clock.whenSleeping()
        #expect(system.state == "loading")
        clock.advance(by: .seconds(10))
        while system.state == "loading" { await Task.yield() }
        #expect(system.state == "")
        gate.open()
        await system.settled()
        #expect(system.state == "")
    }

    @Test("a delay that is meant as never is one that clocks take")
    func delayedForEver() async {
        let asked = Collected<Duration>()
        let system = System(
            initialState: 0, clock: StepClock(nanoseconds: { 1 }, sleep: { asked.add($0) }),
            reducer: { (state: inout Int, event: Int) -> Effect<Int> in
                state = event
                return event == 1 ? .event(2).delayed(by: .seconds(Int64.max)) : .none
            })
        system.send(1)
        await system.settled()
        #expect(system.state == 2 && asked.all == [.seconds(100 * 365 * 86_400)])
    }

    @Test("a delayed cancellation of its own effect settles the system")
    func delayedCancel() async {
        let clock = ManualClock()
        let system = System(
            initialState: 0, clock: StepClock(clock),
            reducer: { (state: inout Int, event: Int) -> Effect<Int> in
                .merge([
                    .attached { _ in {} }.id("load"), .cancel("load").delayed(by: .seconds(10)).id("load", .beside),
                ])
            })
        system.send(1)
        let settled = Task { await system.settled() }
        await clock.whenSleeping()
        clock.advance(by: .seconds(10))
        await settled.value
        #expect(system.isSettled)
    }

    @Test("a part that closes ends its effects also where the reducer returns an event")
    func closingWithEvent() {
        struct Whole { var child: Int? = 0 }
        enum Event { case swap, open, child(Int) }
        let part = Part(\Whole.child, Event.child)
        let child = Reducer<Int, Int> { _, _ in .attached { _ in {} }.id("ticks") }
        let own = Reducer<Whole, Event> { whole, event in
            switch event {
            case .swap:
                whole.child = nil
                return .event(.open)
            case .open: whole.child = 1
            case .child: break
            }
            return .none
        }
        let system = System(initialState: Whole(), reducer: Reducer.all(own, child.on(part)))
        system.send(.child(1))
        #expect(system.runningEffects == 1)
        system.send(.swap)
        #expect(system.state.child == 1 && system.runningEffects == 0)
    }

    @Test("reducers one after the other begin their effects in that order, those in parts too")
    func orderAmongParts() {
        struct Whole {
            var child: Int? = 0
            var events: [String] = []
        }
        enum Event {
            case start, note(String), child(Int)
        }
        func noting(_ text: String) -> Reducer<Whole, Event> {
            Reducer { whole, event in
                return if case .child(0) = event { .event(.note(text)) } else { .none }
            }
        }
        let log = Reducer<Whole, Event> { whole, event in
            switch event {
            case .note(let text): whole.events.append(text)
            case .child(let number) where number > 0: whole.events.append("child")
            default: break
            }
            return .none
        }
        let child = Reducer<Int, Int> { _, event in event == 0 ? .event(1) : .none }
        let part = Part(\Whole.child, Event.child)
        let system = System(initialState: Whole(), reducer: Reducer.all(log, noting("a"), child.on(part), noting("c")))
        system.send(.child(0))
        #expect(system.state.events == ["a", "child", "c"])
    }
}
