import Basics
import EventFiles

/// One change of a key's events.
enum TrialEdit {
    case range
    /// The events of another id come in.
    case join(alias: Int)
    /// A property of an event, or of its session's line, gets another text; a held property one that another event has.
    case set(event: Int, path: Int?, text: String?, hold: Fingerprint)
    case remove(event: Int)
    case move(event: Int, to: Int64)
    case add(step: Int, name: String, at: Int64)

    fileprivate var adds: Bool { if case .add = self { true } else { false } }
}

/// Finds the fewest changes after which the engine counts a key as converted.
///
/// A single change is searched exactly: over all events, and over all times at which the order of two events, or whether a window holds
/// them, can change. Each answer is what the engine says of the changed events. Of several changes it gives what the deepest attempt lacks,
/// or a whole chain if that does not do.
///
/// - Complexity: O(events²) of the key for each kind of change, as far as ``mostWork`` reaches: beyond it, with some ten thousand events of a
///   key inside one window, a change may be missed.
struct EditSearch {
    /// How many events the engine follows for one kind of change at most.
    static let mostWork = 100_000_000

    let trial: KeyTrial
    /// By rising time.
    let events: [TrialEvent]
    /// The events of ids that may be the key's, too.
    let aliases: [[TrialEvent]]
    let paths: TestedPaths
    /// As the key is.
    let reach: KeyTrial.Reach
    private let possible: PossibleChains
    private let definition: FunnelDefinition
    private let mostWork: Int

    init(_ trial: KeyTrial, _ events: [TrialEvent], aliases: [[TrialEvent]], _ paths: TestedPaths, mostWork: Int = mostWork) {
        (self.trial, self.events, self.aliases, self.paths, self.mostWork) = (trial, events, aliases, paths, mostWork)
        definition = trial.definition
        reach = trial.reach(events)
        possible = PossibleChains(events, definition, trial.starts)
    }

    var isConverted: Bool { reach.depth > definition.lastRequiredStep }

    /// The nearest change of those that suffice alone, by ``Explanation/Kind``; else several.
    func edits() -> [(kind: Explanation.Kind, edit: TrialEdit)] {
        if isConverted { return [] }
        if trial.starts != StartRange(), trial.converts(events, isRanged: false) { return [(.range, .range)] }
        for alias in aliases.indices where suffices([.join(alias: alias)]) { return [(.alias, .join(alias: alias))] }
        if let edit = firstSetting() { return [(.filter, edit)] }
        for event in events.indices where events[event].exclusions != 0 && possible.reach(over: events[event].time) {
            if suffices([.remove(event: event)]) { return [(.excluded, .remove(event: event))] }
        }
        if let edit = firstInterruption() { return [(.interrupted, edit)] }
        let targets = targets()
        // What the attempt lacks moves rather than what it has.
        for steps in [reached..<definition.steps.count, 0..<reached] {
            if let edit = leastMove(of: steps, to: targets, isEarlier: true) { return [(.late, edit)] }
            if let edit = leastMove(of: steps, to: targets, isEarlier: false) { return [(.order, edit)] }
        }
        if let edit = firstAddition(targets) { return [(.missing, edit)] }
        return several(targets)
    }

    /// How many steps the best attempt has; without an order nobody knows which.
    private var reached: Int { definition.order.numbersSteps ? reach.depth : 0 }

    // MARK: One change

    /// A path of a session's line.
    private struct AskedLine: Hashable {
        var session: Fingerprint
        var time: Int64
        var path: Int
    }

    private func firstSetting() -> TrialEdit? {
        let start = trial.work
        var lines: Set<AskedLine> = []
        for event in events.indices where events[event].named & 0xFFFF_FFFF != 0 {
            if trial.work - start > mostWork { return nil }
            for (path, tested) in paths.all.enumerated() where !isKey(tested) {
                if tested.source == .session {
                    // One line's value counts for all of its events.
                    guard let line = events[event].line else { continue }
                    if !lines.insert(AskedLine(session: events[event].session, time: line, path: path)).inserted { continue }
                }
                for value in tested.values {
                    let holdsToo = tested.source == .event && definition.hold == tested.path
                    let edit = TrialEdit.set(
                        event: event, path: path, text: value.text, hold: holdsToo ? .of(value.text) : events[event].hold)
                    if tested.source == .event, !gains(event, edit, isHeld: holdsToo) { continue }
                    if suffices([edit]) { return edit }
                }
            }
            guard definition.hold != nil, definition.key != definition.hold.map(FunnelKey.property) else { continue }
            for hold in holds where hold != events[event].hold {
                let edit = TrialEdit.set(event: event, path: nil, text: nil, hold: hold)
                if gains(event, edit, isHeld: true), suffices([edit]) { return edit }
            }
        }
        return nil
    }

    /// Whether the change makes an event fit a step that could complete a chain.
    private func gains(_ event: Int, _ edit: TrialEdit, isHeld: Bool) -> Bool {
        guard case .set(_, let path, let text, _) = edit else { return false }
        let steps = if let path, let text { steps(of: event, with: path, text) } else { events[event].steps }
        let gained = isHeld ? steps : steps & ~events[event].steps
        return gained.bitNumbers.contains { possible.allow($0, at: events[event].time) }
    }

    /// The steps that an event would fit with another text at a path.
    func steps(of event: Int, with path: Int, _ text: String) -> UInt32 {
        var changed = events[event]
        changed.holding[path] = holding(path, text)
        return changed.steps
    }

    private func holding(_ path: Int, _ text: String) -> UInt64 { Array(text.utf8).withUnsafeBytes { paths.all[path].holding($0) } }

    private func isKey(_ path: TestedPaths.Path) -> Bool {
        definition.key == (path.source == .event ? .property(path.path) : .context(path.path))
    }

    /// The values of the held property.
    private var holds: [Fingerprint] {
        var holds: [Fingerprint] = []
        for event in events where !event.hold.isNone && !holds.contains(event.hold) { holds.append(event.hold) }
        return holds
    }

    /// Where the first event that fits is taken for good, or any other ends the attempt, an event less can be a step more.
    private func firstInterruption() -> TrialEdit? {
        let isPlain = definition.exclusions.isEmpty && definition.limitingStepWindow == nil && !definition.order.keepsUnmatched
        if isPlain && (!definition.order.numbersSteps || !definition.steps.contains(where: \.isOptional)) { return nil }
        let start = trial.work
        for event in events.indices where events[event].exclusions == 0 && possible.reach(over: events[event].time) {
            if suffices([.remove(event: event)]) { return .remove(event: event) }
            if trial.work - start > mostWork { return nil }
        }
        return nil
    }

    /// The least shift of one event that takes one of some steps.
    private func leastMove(of steps: Range<Int>, to targets: [Int64], isEarlier: Bool) -> TrialEdit? {
        let start = trial.work
        var (best, least): (TrialEdit?, UInt64) = (nil, .max)
        for (number, event) in events.enumerated() {
            let wanted = steps.filter { event.steps >> UInt32($0) & 1 == 1 }
            if wanted.isEmpty { continue }
            var index = targets.partitionPoint { isEarlier ? $0 >= event.time : $0 > event.time } - (isEarlier ? 1 : 0)
            while targets.indices.contains(index) {
                let target = targets[index]
                let shift = isEarlier ? UInt64(bitPattern: event.time &- target) : UInt64(bitPattern: target &- event.time)
                if shift >= least || trial.work - start > mostWork { break }
                if wanted.contains(where: { possible.allow($0, at: target) }), suffices([.move(event: number, to: target)]) {
                    (best, least) = (.move(event: number, to: target), shift)
                    break
                }
                index += isEarlier ? -1 : 1
            }
        }
        return best
    }

    private func firstAddition(_ targets: [Int64]) -> TrialEdit? {
        let start = trial.work
        for step in Array(reached..<definition.steps.count) + Array(0..<reached) {
            for target in targets where possible.allow(step, at: target) {
                for name in names(of: step) {
                    let edit = TrialEdit.add(step: step, name: name, at: target)
                    if suffices([edit]) { return edit }
                }
                if trial.work - start > mostWork { return nil }
            }
        }
        return nil
    }

    /// The times at which something can change: those of the events, a window before and after, and the ends of the range; with what is next
    /// to each where events of one millisecond are not all alike.
    private func targets() -> [Int64] {
        let isPlain = definition.exclusions.isEmpty && !definition.order.keepsUnmatched && definition.limitingStepWindow == nil
        let spans = [0, definition.windowMilliseconds, definition.limitingStepWindow ?? 0]
        var targets = events.flatMap { event in spans.flatMap { [event.time.addingClamped($0), event.time.subtractingClamped($0)] } }
        if trial.starts.since != .min { targets.append(trial.starts.since) }
        targets.append(trial.starts.until.map { $0 - 1 } ?? trial.dataEnd)
        if !isPlain { targets += targets.flatMap { [$0.subtractingClamped(1), $0.addingClamped(1)] } }
        return Set(targets).sorted()
    }

    /// The names by which an event fits a step.
    private func names(of step: Int) -> [String] {
        if case .oneOf(let names) = definition.steps[step].pattern.names { return names }
        // Any does; one that nothing else asks for.
        var name = "event"
        while trial.matcher.steps(named: Array(name.utf8)) != trial.matcher.anyName { name += "_" }
        return [name]
    }

    // MARK: Several

    private func several(_ targets: [Int64]) -> [(kind: Explanation.Kind, edit: TrialEdit)] {
        let required = definition.steps.indices.filter { !definition.steps[$0].isOptional }
        func added(_ steps: [Int], _ time: Int64) -> [TrialEdit] { steps.map { .add(step: $0, name: names(of: $0)[0], at: time) } }
        let settings = sessionSettings(required)
        var found: [[TrialEdit]] = []
        for (isRanged, reach) in [(true, reach), (false, trial.reach(events, isRanged: false))] {
            let lacking = definition.order.numbersSteps ? required.filter { $0 >= reach.depth } : required
            found.append((isRanged ? [] : [.range]) + settings + added(lacking, reach.times.last ?? trial.dataEnd))
        }
        // Away from all events nothing stands in the way of a whole chain.
        let after = (events.last?.time ?? trial.dataEnd).addingClamped(definition.windowMilliseconds).addingClamped(1)
        found += (targets.prefix(200) + [after]).map { settings + added(required, $0) } + [[.range] + settings + added(required, after)]
        let byCount = found.enumerated().sorted { ($0.element.count, $0.offset) < ($1.element.count, $1.offset) }
        guard var best = byCount.first(where: { suffices($0.element) })?.element else { return [] }
        // In any order some steps may be there.
        for index in best.indices.reversed() {
            var less = best
            less.remove(at: index)
            if suffices(less) { best = less }
        }
        return best.map { edit in
            switch edit {
            case .range: (.range, edit)
            case .set: (.filter, edit)
            default: (.missing, edit)
            }
        }
    }

    /// What one session would have to be for some steps, where a session is the key: what is added has its context.
    private func sessionSettings(_ steps: [Int]) -> [TrialEdit] {
        guard definition.key == .session, let event = events.firstIndex(where: { $0.line != nil }) else { return [] }
        let wanted = steps.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
        return paths.all.enumerated().compactMap { number, path in
            guard path.source == .session, events[event].holding[number] & wanted != wanted else { return nil }
            let value = path.values.max { ($0.holding & wanted).nonzeroBitCount < ($1.holding & wanted).nonzeroBitCount }
            return value.map { .set(event: event, path: number, text: $0.text, hold: events[event].hold) }
        }
    }

    // MARK: Changing

    /// Whether the key converts after some changes.
    func suffices(_ edits: [TrialEdit]) -> Bool {
        let isRanged = !edits.contains { if case .range = $0 { true } else { false } }
        // What is added may need the value of the held property that the rest has.
        guard definition.hold != nil, edits.contains(where: \.adds) else {
            return trial.converts(changed(by: edits, hold: .none), isRanged: isRanged)
        }
        return (holds + [.of("held")]).contains { trial.converts(changed(by: edits, hold: $0), isRanged: isRanged) }
    }

    /// - Parameter hold: of the held property on what is added.
    private func changed(by edits: [TrialEdit], hold: Fingerprint) -> [TrialEvent] {
        var changed = events
        // A session's line counts for what is added, too.
        for edit in edits.filter(\.adds) + edits.filter({ !$0.adds }) {
            switch edit {
            case .range: break
            case .join(let alias): changed += aliases[alias]
            case .remove(let event): changed.remove(at: event)
            case .move(let event, let time): changed[event] = trial.moved(events[event], to: time)
            case .add(let step, let name, let time): changed.append(added(step, name, at: time, hold))
            case .set(let event, let path, let text, let hold):
                changed[event].hold = hold
                if path == nil, let held = heldPath, let known = holding(held, of: hold) { changed[event].holding[held] = known }
                guard let path, let text else { continue }
                let holding = holding(path, text)
                guard paths.all[path].source == .session else {
                    changed[event].holding[path] = holding
                    continue
                }
                let (session, line) = (events[event].session, events[event].line)
                for other in changed.indices where changed[other].session == session && changed[other].line == line {
                    changed[other].holding[path] = holding
                }
            }
        }
        if zip(changed, changed.dropFirst()).contains(where: { $0.time > $1.time }) { changed.sort { $0.time < $1.time } }
        return changed
    }

    /// An event of a name that has what a step asks for, and nothing else.
    private func added(_ step: Int, _ name: String, at time: Int64, _ hold: Fingerprint) -> TrialEvent {
        var added = TrialEvent(time: time, named: trial.matcher.steps(named: Array(name.utf8)), holding: [], hold: hold)
        for (number, path) in paths.all.enumerated() {
            let text = path.values.first { $0.holding >> UInt64(step) & 1 == 1 }
            // Of a path that the step does not ask about it has none.
            let isAsked = definition.steps[step].pattern.tests.contains { $0.source == path.source && $0.path == path.path }
            added.holding.append(isAsked ? text?.holding ?? 0 : path.holding(nil))
            guard number == heldPath else { continue }
            if let known = holding(number, of: hold) {
                added.holding[number] = known
            } else {
                added.hold = text.map { .of($0.text) } ?? hold
            }
        }
        guard definition.key == .session, let own = events.first else { return added }
        // It has the context that its session has.
        (added.session, added.line) = (own.session, own.line)
        return trial.moved(added, to: time)
    }

    /// The tested path that is the held property's; `nil` where no test asks about it.
    private var heldPath: Int? { paths.all.firstIndex { $0.source == .event && $0.path == definition.hold } }

    /// The patterns whose tests of a path hold where the held property has a value that some event has.
    private func holding(_ path: Int, of hold: Fingerprint) -> UInt64? { events.first { $0.hold == hold }?.holding[path] }
}
