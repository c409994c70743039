import Foundation
import LoopCore
import Testing

/// Random programs of effects, names, cancellations and parts that come and go, compared with a model of what effects promise.
@MainActor @Suite struct EffectModelTests {
    /// `LOOPTRAIL_EFFECT_PROGRAMS` sets another number of programs.
    @Test func `what effects bring is what the model says`() async {
        let programs = ProcessInfo.processInfo.environment["LOOPTRAIL_EFFECT_PROGRAMS"].flatMap(UInt64.init) ?? 10_000
        for seed in 0..<programs {
            let play = EffectPlay(seed: seed)
            await play.run()
            #expect(play.broken == nil, "seed \(seed)")
            if play.broken != nil { return }
        }
    }
}

/// The reducer that began something: 0 is the whole's, 1 and 2 are those of two children.
private typealias Owner = Int

private enum Order {
    case nothing
    /// Opens or closes a child.
    case toggle(Owner)
    /// Events at once.
    case burst([Int], name: Int?, EffectPolicy)
    /// A source that stays.
    case source(name: Int?, EffectPolicy)
    /// Work that is called in a turn of its own, and brings an event.
    case work(Int, name: Int?, EffectPolicy)
    case cancel(Int)
}

private struct Message {
    let id: Int
    let order: Order
}

private enum PlayEvent {
    case own(Message), first(Message), second(Message)

    init(_ owner: Owner, _ message: Message) { self = owner == 0 ? .own(message) : owner == 1 ? .first(message) : .second(message) }
}

private struct Whole {
    var first: Int? = 0
    var second: Int? = 0
}

/// A model of what a system's queue should hold, and which sources should run.
private struct EffectModel {
    private struct Slot: Hashable {
        let owner: Owner
        let name: Int
    }

    private struct Run: Hashable {
        let number: Int
        let owner: Owner
        var name: Int?
    }

    /// An event in the queue. Without an `id` it keeps the slot of an event that its effect lost.
    private struct Queued {
        var id: Int?
        let owner: Owner
        var run: Run?
    }

    private var queue: [Queued] = []
    private var sources: [(id: Int, run: Run)] = []
    /// Work that has begun and not ended, in the order of its turns.
    private var works: [(event: Int, run: Run)] = []
    /// The run of each name that a later run would replace.
    private var current: [Slot: Run] = [:]
    private var isOpen = [true, true, true]
    private var begun = 0
    private(set) var taken: [Int] = []

    var running: Set<Int> { Set(sources.map(\.id)) }
    var runs: Int { sources.count + works.count }

    var isWorking: Bool { !works.isEmpty }

    mutating func send(_ id: Int, _ owner: Owner, _ order: (Int) -> (owner: Owner, order: Order)) {
        queue.append(Queued(id: id, owner: owner))
        drain(order)
    }

    /// An event of a source, which is dropped once that has ended.
    mutating func send(_ id: Int, from source: Int, _ order: (Int) -> (owner: Owner, order: Order)) {
        guard let run = sources.first(where: { $0.id == source })?.run else { return }
        queue.append(Queued(id: id, owner: run.owner, run: run))
        drain(order)
    }

    /// Each work has its turn, unless something ended it before.
    mutating func settle(_ order: (Int) -> (owner: Owner, order: Order)) {
        while let (event, run) = works.first {
            queue.append(Queued(id: event, owner: run.owner, run: run))
            drain(order)
            works.removeAll { $0.run == run }
        }
    }

    private mutating func drain(_ order: (Int) -> (owner: Owner, order: Order)) {
        while !queue.isEmpty {
            guard let id = queue.removeFirst().id else { continue }
            taken.append(id)
            let (owner, order) = order(id)
            if isOpen[owner] { follow(id, owner, order) }
        }
    }

    private mutating func follow(_ id: Int, _ owner: Owner, _ order: Order) {
        switch order {
        case .nothing: break
        case .toggle(let child):
            isOpen[child].toggle()
            if !isOpen[child] { end { $0.owner == child } }
        case .cancel(let name): end { $0.owner == owner && $0.name == name }
        case .burst(let ids, let name, let policy):
            guard let (run, free) = begin(owner, name, policy) else { return }
            for (index, id) in ids.enumerated() {
                if index < free.count {
                    queue[free[index]] = Queued(id: id, owner: owner, run: run)
                } else {
                    queue.append(Queued(id: id, owner: owner, run: run))
                }
            }
        case .source(let name, let policy):
            if let (run, _) = begin(owner, name, policy) { sources.append((id, run)) }
        case .work(let event, let name, let policy):
            if let (run, _) = begin(owner, name, policy) { works.append((event, run)) }
        }
    }

    /// A new run and the indices in the queue that it takes over; `nil` if it does not begin.
    private mutating func begin(_ owner: Owner, _ name: Int?, _ policy: EffectPolicy) -> (Run, free: [Int])? {
        begun += 1
        let run = Run(number: begun, owner: owner, name: name)
        guard let name else { return (run, []) }
        let isOfName: (Run) -> Bool = { $0.owner == owner && $0.name == name }
        if case .ignoredWhileRunning = policy {
            return sources.contains { isOfName($0.run) } || works.contains { isOfName($0.run) } ? nil : (run, [])
        }
        guard case .replacing = policy else { return (run, []) }
        let slot = Slot(owner: owner, name: name)
        let old = current[slot]
        end { isOfName($0) && $0 != old }
        current[slot] = run
        sources.removeAll { $0.run == old }
        works.removeAll { $0.run == old }
        let free = queue.indices.filter { old != nil && queue[$0].run == old }
        for index in free { queue[index] = Queued(owner: owner, run: run) }
        return (run, free)
    }

    private mutating func end(_ isEnding: (Run) -> Bool) {
        queue.removeAll { $0.run.map(isEnding) ?? false }
        sources.removeAll { isEnding($0.run) }
        works.removeAll { isEnding($0.run) }
        current = current.filter { !isEnding($0.value) }
    }
}

/// One system beside the model.
@MainActor private final class EffectPlay {
    private(set) var broken: String?
    private var random: Numbers
    private var orders: [Int: (owner: Owner, order: Order)] = [:]
    private var lastID = 0
    private var taken: [Int] = []
    private var running: Set<Int> = []
    private var outlets: [(source: Int, owner: Owner, outlet: EffectOutlet<Message>)] = []

    init(seed: UInt64) { random = Numbers(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1) }

    private func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    func run() async {
        let first = Part(\Whole.first, PlayEvent.first)
        let second = Part(\Whole.second, PlayEvent.second)
        let child = Reducer<Int, Message> { [unowned self] state, message in
            state += 1
            return effect(message)
        }
        let own = Reducer<Whole, Message> { [unowned self] whole, message in
            if case .toggle(let owner) = message.order {
                let part = owner == 1 ? \Whole.first : \Whole.second
                whole[keyPath: part] = whole[keyPath: part] == nil ? 0 : nil
            }
            return effect(message)
        }
        let system = System<Whole, PlayEvent>(
            initialState: Whole(),
            reducer: .all(
                Reducer { [unowned self] (_: inout Whole, event: PlayEvent) in
                    switch event {
                    case .own(let message), .first(let message), .second(let message): taken.append(message.id)
                    }
                }, own.pullback(state: \.self, event: EnumCase(PlayEvent.own)), child.on(first), child.on(second)))
        var model = EffectModel()
        for _ in 0...number(24) where broken == nil {
            let owner = number(3)
            let id = make(owner, depth: 0)
            model.send(id, owner) { orders[$0]! }
            system.send(PlayEvent(owner, message(id)))
            check(model, system)
            // A source that has ended sends, too; its event is dropped.
            if let (source, owner, outlet) = outlets.randomElement(using: &random) {
                let id = make(owner, depth: 2)
                model.send(id, from: source) { orders[$0]! }
                outlet.send(message(id))
                check(model, system)
            }
            if !model.isWorking || number(3) == 0 { continue }
            model.settle { orders[$0]! }
            await system.settled()
            check(model, system)
        }
        system.stop()
        if !running.isEmpty { broken = broken ?? "a source survives the stop" }
    }

    private func check(_ model: EffectModel, _ system: System<Whole, PlayEvent>) {
        if taken != model.taken { broken = broken ?? "taken \(taken.suffix(8)), expected \(model.taken.suffix(8))" }
        if running != model.running { broken = broken ?? "\(running.sorted()) run, expected \(model.running.sorted())" }
        if system.runningEffects != model.runs { broken = broken ?? "\(system.runningEffects) effects run, expected \(model.runs)" }
    }

    /// A new event with something to do.
    private func make(_ owner: Owner, depth: Int) -> Int {
        lastID += 1
        let id = lastID
        let name = number(10) < 7 ? number(3) : nil
        let policy = [EffectPolicy.replacing, .beside, .ignoredWhileRunning][number(3)]
        let order: Order =
            switch number(owner == 0 ? 7 : 6) {
            case 0: .nothing
            case 1: .cancel(number(3))
            case 2: .source(name: name, policy)
            case 3: depth < 4 ? .work(make(owner, depth: depth + 1), name: name, policy) : .nothing
            case 6: .toggle(1 + number(2))
            default: depth < 4 ? .burst((0..<number(4)).map { _ in make(owner, depth: depth + 1) }, name: name, policy) : .nothing
            }
        orders[id] = (owner, order)
        return id
    }

    private func message(_ id: Int) -> Message { Message(id: id, order: orders[id]!.order) }

    private func effect(_ message: Message) -> Effect<Message> {
        switch message.order {
        case .nothing, .toggle: .none
        case .cancel(let name): .cancel(EffectID(name))
        case .burst(let ids, let name, let policy):
            named(ids.count == 1 ? .event(self.message(ids[0])) : .events(ids.map(self.message)), name, policy)
        case .work(let id, let name, let policy): named(.run { [unowned self] in self.message(id) }, name, policy)
        case .source(let name, let policy):
            named(
                .attached { [unowned self] outlet in
                    running.insert(message.id)
                    outlets.append((message.id, orders[message.id]!.owner, outlet))
                    return { self.running.remove(message.id) }
                }, name, policy)
        }
    }

    private func named(_ effect: Effect<Message>, _ name: Int?, _ policy: EffectPolicy) -> Effect<Message> {
        name.map { effect.id(EffectID($0), policy) } ?? effect
    }
}
