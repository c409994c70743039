import Basics
import EventFiles

/// Finds one change after which the engine counts a key as converted, or several where no single one suffices.
///
/// The search for a single change is complete: it tries all events, and all times at which the order of two events can change, or a window
/// can begin or cease to hold them. The engine follows the changed events and decides. Where no single change suffices, the search adds
/// what the deepest attempt lacks, then a whole chain.
///
/// - Complexity: for each kind of change O(events of the key · events within a window of the change), until ``mostWork`` ends the search.
///   Some thousand events of a key inside one window are too many; ``isCut`` says so.
final class EditSearch {
    /// The most events that the engine follows for single changes of one key, and again for several. `explain --help` names it.
    static let mostWork = 20_000_000

    /// Changes that suffice together, and the verdict that the first of them gives.
    typealias Found = (verdict: Explanation.Verdict, edits: [Explanation.Edit])

    let dataEnd: Int64
    /// Whether the key is a session that is over: no event can follow, and its starts are mature before their windows end.
    private let isSilent: Bool
    private let asked: AskedFunnel
    private let definition: FunnelDefinition
    private let paths: TestedPaths
    private let contexts: SessionContexts
    private let key: (id: Fingerprint, text: String?)
    private let given: [TrialEvent]
    private let aliases: [(name: String, events: [TrialEvent])]
    private let starts: StartRange
    private let fold: GroupFold
    /// Numbers the texts of the held property.
    private var holdNumbers = FingerprintNumbers.keys
    private let mostWork: Int
    private var work = 0 { didSet { isCut = isCut || work > mostWork } }
    /// Whether ``mostWork`` ended the search. ``found()`` then finds nothing: a change that was not tried may suffice.
    private(set) var isCut = false
    /// Whether a change helps only attempts within a window of it. If not, a far attempt may count once a deeper one is no longer spoilt.
    private let isLocal: Bool
    /// The best attempt of the unchanged key, and the best one if starts counted at any time.
    private let (best, unranged): (FunnelChain, FunnelChain)
    private lazy var events = given.map { placed($0, at: $0.time) }
    /// The events as the engine sees them.
    private lazy var shapes = events.map(shape)
    private lazy var possible = PossibleChains(shapes, definition, starts)
    /// For each step, the ``targets`` at which one more event of that step may complete a chain.
    private lazy var targetsOf = definition.steps.indices.map { step in targets.filter { possible.allow(step, at: $0) } }
    private lazy var indicesOf = Dictionary(grouping: events.indices) { ContextLine(session: events[$0].session, time: events[$0].line) }
    /// The texts that the held property has in events, and another for added events. Without a held property, one empty text.
    private lazy var holds = paths.hold.map { hold in Set(events.compactMap { $0.values[hold] }).sorted() + ["held"] } ?? [""]

    /// - Parameters:
    ///   - key: its text may be left out if it has events.
    ///   - events: by rising time.
    ///   - aliases: the names and events of ids that may be the key's, too.
    init(
        _ asked: AskedFunnel, _ contexts: SessionContexts, dataEnd: Int64, key: (id: Fingerprint, text: String?), isSilent: Bool,
        _ events: [TrialEvent], aliases: [(name: String, events: [TrialEvent])], mostWork: Int
    ) {
        (self.asked, definition, paths, self.contexts, self.dataEnd) = (asked, asked.funnel.definition, asked.paths, contexts, dataEnd)
        (self.key, given, self.aliases, self.mostWork, self.isSilent) = (key, events, aliases, mostWork, isSilent)
        let matureUntil = isSilent ? definition.matureUntil(dataEnd: dataEnd) : definition.windowEnded(before: dataEnd)
        starts = StartRange(definition).before(definition.starts == .mature ? matureUntil : nil)
        fold = GroupFold(definition, definition.engine(), values: [])
        let count = definition.steps.count
        isLocal = definition.lastRequiredStep == count - 1 || !definition.exclusions.contains(where: \.spoils)
        (best, unranged) = (FunnelChain(stepCount: count), FunnelChain(stepCount: count))
        _ = depth(of: shapes, noted: best)
        _ = depth(of: shapes, isRanged: false, noted: unranged)
    }

    var isConverted: Bool { best.depth > definition.lastRequiredStep }
    /// Whether some attempt may still go on.
    var isOpen: Bool { best.isOpen && best.depth > 0 && !isSilent }

    /// The nearest change that suffices alone, by ``Explanation/Kind``; else several. `nil` if the key converted, none helps, or ``isCut``.
    func found() -> Found? {
        if isConverted { return nil }
        // Events of steps that the attempt lacks move first. Without an order nobody knows which these are.
        let reached = definition.order.numbersSteps ? best.depth : 0
        let (lacking, had) = (reached..<definition.steps.count, 0..<reached)
        let searches: [() -> Found?] = [
            outOfRange, otherID, setting, { self.removal(.excluded) }, { self.removal(.interrupted) },
            { self.move(lacking, .late) }, { self.move(lacking, .order) }, { self.move(had, .late) }, { self.move(had, .order) },
            { self.addition(Array(lacking) + Array(had)) }, several,
        ]
        for search in searches {
            let found = search()
            if isCut { return nil }
            if let found { return found }
        }
        return nil
    }

    /// The index of the first required step that the best attempt lacks.
    private var next: Int {
        let step = min(best.depth, definition.lastRequiredStep)
        return definition.steps[step...].firstIndex { !$0.isOptional } ?? step
    }

    /// - Parameter step: the index of the step that the key does not reach without the changes.
    private func found(
        _ kind: Explanation.Kind, _ edits: [Explanation.Edit], at step: Int, shift: Int64? = nil, path: Int? = nil
    ) -> Found {
        let tests = definition.steps[step].pattern.tests
        let wanted = path.map { paths.all[$0] }.map { path in tests.filter { $0.source == path.source && $0.path == path.path } }
        let verdict = Explanation.Verdict(
            kind: kind, step: step + 1, byMilliseconds: shift,
            wanted: wanted.map { $0.map { $0.comparison.spelling + $0.value }.joined(separator: ", ") })
        return (verdict, edits)
    }

    // MARK: One change

    private func outOfRange() -> Found? {
        unranged.depth > definition.lastRequiredStep ? found(.range, [.range], at: next, shift: shiftOfStart) : nil
    }

    private var shiftOfStart: Int64? {
        let start = unranged.start
        guard unranged.depth > 0, !starts.contains(start) else { return nil }
        return start < starts.since
            ? starts.since.subtractingClamped(start) : starts.until.map { start.subtractingClamped($0).addingClamped(1) }
    }

    private func otherID() -> Found? {
        let alias = aliases.first { converts(adding: $0.events.map { shape(placed($0, at: $0.time)) }) }
        return alias.map { found(.alias, [.join(alias: $0.name)], at: next) }
    }

    private func setting() -> Found? {
        var lines: Set<ContextLine> = []
        for (index, event) in events.enumerated() where event.named & 0xFFFF_FFFF != 0 {
            // A line's text counts for all events under it, so each line is changed only once.
            let line = ContextLine(session: event.session, time: event.line)
            let isFirst = event.line != nil && lines.insert(line).inserted
            let mayGain = UInt32(truncatingIfNeeded: event.named).bitNumbers.contains { possible.allow($0, at: event.time) }
            for (path, tested) in paths.all.enumerated() where path != paths.key {
                let isSession = tested.source == .session
                if isSession ? !isFirst : !mayGain { continue }
                for text in tested.values.map(\.text) + (path == paths.hold ? holds.dropLast() : []) where text != event.values[path] {
                    work += 1
                    if isCut { return nil }
                    let one = shape(event, with: text, at: path)
                    let gained = one.hold == shapes[index].hold ? one.steps & ~shapes[index].steps : one.steps
                    guard isSession || gained.bitNumbers.contains(where: { possible.allow($0, at: event.time) }) else { continue }
                    let changed = isSession ? indicesOf[line, default: [index]] : [index]
                    guard converts(with: changed.map { ($0, shape(events[$0], with: text, at: path)) }) else { continue }
                    let step = Self.step(of: one.steps & ~shapes[index].steps, from: next)
                    return found(.filter, [edit(setting: path, to: text, of: event)], at: step, path: path)
                }
            }
        }
        return nil
    }

    private struct ContextLine: Hashable {
        let session: Fingerprint
        let time: Int64?
    }

    private func edit(setting path: Int, to text: String, of event: TrialEvent) -> Explanation.Edit {
        let tested = paths.all[path]
        let began = tested.source == .session ? event.line : nil
        let line = Explanation.Event(id: nil, name: String(decoding: SessionLine.name, as: UTF8.self), timeMilliseconds: began ?? 0)
        return .set(
            began == nil ? event.shown : line, path: PropertyPath.text(tested.path, in: tested.source), was: event.values[path], to: text)
    }

    /// Finds an event whose removal suffices: one that an exclusion names, or another. Without it an attempt may get a step further,
    /// because the engine keeps the first event that fits, or because in strict order any other event ends the attempt.
    private func removal(_ kind: Explanation.Kind) -> Found? {
        let event = events.indices.first { index in
            !isCut && (shapes[index].exclusions != 0) == (kind == .excluded) && possible.reach(over: events[index].time)
                && converts(without: index)
        }
        return event.map { found(kind, [.remove(events[$0].shown)], at: next) }
    }

    /// The least shift of an event that fits one of some steps: to an earlier time if it is late, else to a later one.
    private func move(_ steps: Range<Int>, _ kind: Explanation.Kind) -> Found? {
        var (nearest, least): (Found?, UInt64) = (nil, .max)
        let wanting = events.indices.flatMap { index in shapes[index].steps.bitNumbers.filter(steps.contains).map { (index, $0) } }
        for (index, step) in wanting {
            let (event, targets) = (events[index], targetsOf[step])
            let isLate = kind == .late
            let split = targets.partitionPoint { isLate ? $0 >= event.time : $0 > event.time }
            for target in isLate ? stride(from: split - 1, to: -1, by: -1) : stride(from: split, to: targets.count, by: 1) {
                let time = targets[target]
                let shift = isLate ? UInt64(bitPattern: event.time &- time) : UInt64(bitPattern: time &- event.time)
                if shift >= least || isCut { break }
                guard converts(without: index, adding: [shape(placed(event, at: time))]) else { continue }
                let step = Self.step(of: shapes[index].steps, from: next)
                (nearest, least) = (found(kind, [.move(event.shown, to: time)], at: step, shift: Int64(clamping: shift)), shift)
                break
            }
        }
        return nearest
    }

    private func addition(_ steps: [Int]) -> Found? {
        for step in steps {
            for target in targetsOf[step] {
                if isCut { return nil }
                for (name, hold) in names(of: step).flatMap({ name in holds.map { (name, $0) } })
                where converts(adding: [shape(added(step, name, at: target, hold))]) {
                    return found(.missing, [.add(step: step + 1, name: name, at: target)], at: step)
                }
            }
        }
        return nil
    }

    /// The times at which something can change: those of the events, a window before and after each of them, and the ends of the range of
    /// starts or of the data. With exclusions, strict order or a step window, the milliseconds next to these count, too.
    private lazy var targets: [Int64] = {
        let isPlain = definition.exclusions.isEmpty && !definition.order.keepsUnmatched && definition.limitingStepWindow == nil
        let spans = [0, definition.windowMilliseconds, definition.limitingStepWindow ?? 0]
        var targets = events.flatMap { event in spans.flatMap { [event.time.addingClamped($0), event.time.subtractingClamped($0)] } }
        if starts.since != .min { targets.append(starts.since) }
        targets.append(starts.until.map { $0.subtractingClamped(1) } ?? dataEnd)
        if !isPlain { targets += targets.flatMap { [$0.subtractingClamped(1), $0.addingClamped(1)] } }
        return Set(targets).sorted()
    }()

    private func names(of step: Int) -> [String] {
        if case .oneOf(let names) = definition.steps[step].pattern.names { return names }
        // Any name will do: this is one that nothing else asks for.
        var name = "event"
        while asked.funnel.matcher.steps(named: Array(name.utf8)) != asked.funnel.matcher.anyName { name += "_" }
        return [name]
    }

    /// The first of some steps at or behind `first`; else the first of all; `first` itself if there are none.
    private static func step(of steps: UInt32, from first: Int) -> Int {
        steps.bitNumbers.first { $0 >= first } ?? steps.bitNumbers.first { _ in true } ?? first
    }

    // MARK: Several

    private func several() -> Found? {
        work = 0
        let required = definition.steps.indices.filter { !definition.steps[$0].isOptional }
        let settings = sessionSettings(required)
        func chain(_ steps: [Int], at time: Int64, isRanged: Bool = true) -> [Explanation.Edit] {
            (isRanged ? [] : [.range]) + settings + steps.map { .add(step: $0 + 1, name: names(of: $0)[0], at: time) }
        }
        var tried = [(best, true), (unranged, false)].map { attempt, isRanged in
            let lacking = definition.order.numbersSteps ? required.filter { $0 >= attempt.depth } : required
            return chain(lacking, at: attempt.depth > 0 ? attempt.times[attempt.depth - 1] : dataEnd, isRanged: isRanged)
        }
        // Away from all events nothing stands in the way of a whole chain.
        let after = (events.last?.time ?? dataEnd).addingClamped(definition.windowMilliseconds).addingClamped(1)
        tried += (targets.prefix(200) + [after]).map { chain(required, at: $0) } + [chain(required, at: after, isRanged: false)]
        let byCount = tried.enumerated().sorted { ($0.element.count, $0.offset) < ($1.element.count, $1.offset) }
        guard var edits = byCount.first(where: { converts($0.element) })?.element else { return nil }
        // Drops what is not needed: without an order, some of the added steps may be there already.
        for index in edits.indices.reversed() {
            var less = edits
            less.remove(at: index)
            if converts(less) { edits = less }
        }
        return switch edits[0] {
        case .range: found(.range, edits, at: next, shift: shiftOfStart)
        case .add(let step, _, _): found(.missing, edits, at: step - 1)
        case .set(_, let path, _, _): found(.filter, edits, at: next, path: index(ofPath: path))
        default: nil
        }
    }

    /// Where the key is a session that has a line: one of its events, else one that could be added.
    private lazy var ownSession = definition.key == .session ? (events + [added(0, "", at: dataEnd, "")]).first { $0.line != nil } : nil

    /// Where a session is the key, the changes to its line that some steps need: added events have the session's context.
    private func sessionSettings(_ steps: [Int]) -> [Explanation.Edit] {
        guard let event = ownSession else { return [] }
        let wanted = steps.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
        return paths.all.enumerated().compactMap { number, path in
            guard path.source == .session, path.holding(event.values[number]) & wanted != wanted else { return nil }
            let value = path.values.max { ($0.holding & wanted).nonzeroBitCount < ($1.holding & wanted).nonzeroBitCount }
            return value.map { edit(setting: number, to: $0.text, of: event) }
        }
    }

    private func converts(_ edits: [Explanation.Edit]) -> Bool {
        holds.contains { hold in
            let line = ownSession?.line
            var (all, isRanged) = (events, true)
            for edit in edits {
                if case .range = edit { isRanged = false }
                if case .add(let step, let name, let time) = edit { all.append(added(step - 1, name, at: time, hold)) }
            }
            for case .set(_, let path, _, let text) in edits {
                guard let path = index(ofPath: path) else { continue }
                for event in all.indices where all[event].line == line { all[event].values[path] = text }
            }
            return converts(all.sorted { $0.time < $1.time }.map(shape), isRanged: isRanged)
        }
    }

    private func index(ofPath name: String) -> Int? { paths.all.firstIndex { PropertyPath.text($0.path, in: $0.source) == name } }

    // MARK: Changing

    /// An event at some time, with what its session's line says then.
    private func placed(_ event: TrialEvent, at time: Int64) -> TrialEvent {
        var placed = event
        placed.time = time
        if asked.plan.sessionPaths.isEmpty { return placed }
        placed.line = contexts.line(of: event.session, at: time)
        for (number, path) in paths.all.indices.filter({ paths.all[$0].source == .session }).enumerated() {
            placed.values[path] = contexts.value(number, of: event.session, at: time).map { String(decoding: $0, as: UTF8.self) }
        }
        // Under another line it may be another key's event, so it fits nothing here.
        if case .context = definition.key, time != event.time, placed.line != event.line { placed.named = 0 }
        return placed
    }

    private func shape(_ event: TrialEvent, with text: String, at path: Int) -> StepEvent {
        var event = event
        event.values[path] = text
        return shape(event)
    }

    private func shape(_ event: TrialEvent) -> StepEvent {
        let fitting = event.named == 0 ? 0 : zip(paths.all, event.values).reduce(event.named) { $0 & $1.0.holding($1.1) }
        let hold = paths.hold.flatMap { event.values[$0] } ?? ""
        return StepEvent(
            time: event.time, steps: UInt32(truncatingIfNeeded: fitting), exclusions: UInt32(truncatingIfNeeded: fitting >> 32),
            hold: UInt32(holdNumbers.number(of: hold.isEmpty ? .none : .of(hold))))
    }

    /// An event of a name, with the properties that a step asks for and nothing else.
    ///
    /// - Parameter hold: the text of the held property, unless the step asks for another.
    private func added(_ step: Int, _ name: String, at time: Int64, _ hold: String) -> TrialEvent {
        let bit = UInt64(1) << UInt64(step)
        let values = paths.all.enumerated().map { number, path -> String? in
            // All events of a key have the same text of the key's property.
            if number == paths.key { return key.text ?? events.first?.values[number] }
            if number == paths.hold, path.holding(hold) & bit != 0 { return hold }
            let isAsked = definition.steps[step].pattern.tests.contains { $0.source == path.source && $0.path == path.path }
            return isAsked ? path.values.first { $0.holding & bit != 0 }?.text : nil
        }
        // Where a session is the key, it has that session's context.
        let session = definition.key == .session ? key.id : Fingerprint.none
        let added = TrialEvent(
            time: time, named: asked.funnel.matcher.steps(named: Array(name.utf8)), values: values, session: session, name: name)
        return session.isNone ? added : placed(added, at: time)
    }

    // MARK: Counting

    private func converts(_ shapes: [StepEvent], isRanged: Bool = true) -> Bool {
        work += shapes.count + 1
        return !isCut && depth(of: shapes, isRanged: isRanged) > definition.lastRequiredStep
    }

    /// Whether the key converts without one event, with some more, or with some replaced. Where ``isLocal``, the engine first follows the
    /// events within a window of the change, and all of them only if these suffice. A moved event changes the key at its new time.
    private func converts(
        without removed: Int? = nil, adding added: [StepEvent] = [], with others: [(index: Int, shape: StepEvent)] = []
    ) -> Bool {
        let changes = added.isEmpty ? others.map(\.shape) + (removed.map { [shapes[$0]] } ?? []) : added
        let low = (changes.first?.time ?? .min).subtractingClamped(definition.windowMilliseconds)
        let high = (changes.last?.time ?? .max).addingClamped(definition.windowMilliseconds)
        let near = shapes.partitionPoint { $0.time >= low }..<shapes.partitionPoint { $0.time > high }
        return (isLocal ? [near, shapes.indices] : [shapes.indices]).allSatisfy { range in
            var changed = Array(shapes[range])
            for (index, shape) in others { changed[index - range.lowerBound] = shape }
            if let removed, range.contains(removed) { changed.remove(at: removed - range.lowerBound) }
            return converts(added.isEmpty ? changed : (changed + added).sorted { $0.time < $1.time })
        }
    }

    /// How far the best attempt gets through some events, which come by rising time. Copies that attempt to `best`.
    private func depth(of shapes: [StepEvent], isRanged: Bool = true, noted best: FunnelChain? = nil) -> Int {
        let keepsAll = definition.order.keepsUnmatched
        let counted = shapes.filter { shape in
            (keepsAll || shape.steps | shape.exclusions != 0) && (definition.hold == nil || shape.hold != 0)
        }
        let part = StartSelection.Part(range: isRanged ? starts : StartRange(), counts: .all)
        var depth = 0
        counted.withUnsafeBufferPointer { events in
            fold.follow(events, [part], holds: holdNumbers.all, dataEnd: dataEnd) { chain, _, _ in
                depth = chain.depth
                best?.copy(chain)
            }
        }
        return depth
    }
}

// MARK: - What is shown

extension EditSearch {
    func explanation(of key: String, _ input: InputQuality, _ unseen: [UnseenName]) -> Explanation {
        let found = found()
        var used: Set<Int> = []
        let chain = best.taken.bitNumbers.compactMap { step -> Explanation.Taken? in
            let taking = shapes.indices.first { index in
                let fits = definition.order.numbersSteps ? shapes[index].steps >> UInt32(step) & 1 == 1 : shapes[index].steps != 0
                return fits && events[index].time == best.times[step] && !used.contains(index)
            }
            if let taking { used.insert(taking) }
            return taking.map { Explanation.Taken(step: step + 1, event: events[$0].shown) }
        }
        return Explanation(
            definition: definition, key: key, hasEvents: events.contains { $0.named != 0 }, converted: isConverted, reached: best.depth,
            chain: chain, hadSteps: shapes.reduce(0) { $0 | $1.steps }, openMilliseconds: millisecondsLeft,
            verdict: found?.verdict, edits: found?.edits ?? [], unsearchedEvents: isCut ? events.count : nil, input: input,
            unseenNames: unseen)
    }

    /// How long the best attempt's window, or step window, goes on after the data's end; of one that is over, the latest's. `nil`: none.
    var millisecondsLeft: Int64? {
        guard isOpen else { return nil }
        if let left = millisecondsLeft(of: best) { return left }
        let starting: UInt32 = definition.order.numbersSteps ? 1 : .max
        let latest = shapes.last { $0.steps & starting != 0 && ($0.hold != 0 || definition.hold == nil) && starts.contains($0.time) }
        let later = FunnelChain(stepCount: best.stepCount)
        _ = depth(of: shapes.filter { $0.time >= latest?.time ?? .max }, noted: later)
        return later.isOpen ? millisecondsLeft(of: later) : nil
    }

    private func millisecondsLeft(of chain: FunnelChain) -> Int64? {
        let windows = [(definition.windowMilliseconds, chain.start), (definition.limitingStepWindow ?? .max, chain.times[chain.depth - 1])]
        let left = windows.map { $0.subtractingClamped(max(dataEnd.subtractingClamped($1), 0)) }.min() ?? 0
        return left > 0 ? left : nil
    }
}

extension TrialEvent {
    fileprivate var shown: Explanation.Event { Explanation.Event(id: id.isEmpty ? nil : id, name: name, timeMilliseconds: time) }
}
