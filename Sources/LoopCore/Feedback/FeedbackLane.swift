/// One feedback of one system while it runs: it observes the states and starts effects.
@usableFromInline
final class FeedbackLane<State, Event> {
    @usableFromInline let decide: Feedback<State, Event>.Decide
    @usableFromInline let slot: EffectSlot<State, Event>
    private let started = StartedKeys()

    /// - Parameter number: names a feedback that has no name of its own: `feedback 1`.
    init(_ part: Feedback<State, Event>.Part, number: Int) { (decide, slot) = (part.make(), EffectSlot(part.name ?? "feedback \(number)")) }

    @inlinable
    func see(_ state: State, _ event: Event?, in system: System<State, Event>, isolation: isolated any Actor) {
        let decision = decide(state, event)
        // The decision ran user code, which may have stopped the system.
        if system.isStopped { return }
        switch decision {
        case .keep: return
        case .add(let effect):
            if case .none = effect.content { return }
            if case .event(let event) = effect.content, !system.observers.needs.contains(.effects) { return slot.add(event, in: system) }
        default: break
        }
        follow(decision, in: system, isolation: isolation)
    }

    @usableFromInline
    func follow(_ decision: Feedback<State, Event>.Decision, in system: System<State, Event>, isolation: isolated any Actor) {
        switch decision {
        case .keep: break
        case .cancel:
            slot.cancel()
            system.cancelEffects(started.takeAll())
        case .replace(let effect):
            let groups = effect.groups
            system.cancelEffects(started.takeAll(except: groups.compactMap(\.key)))
            slot.replace(with: groups.first { $0.key == nil }?.kinds ?? [], in: system, isolation: isolation)
            begin(groups, in: system, isolation: isolation)
        case .add(let effect):
            let groups = effect.groups
            slot.add(groups.first { $0.key == nil }?.kinds ?? [], in: system, isolation: isolation)
            begin(groups, in: system, isolation: isolation)
        }
    }

    /// Begins the effects that have names.
    private func begin(_ groups: [Effect<Event>.Group], in system: System<State, Event>, isolation: isolated any Actor) {
        for group in groups {
            guard let key = group.key else { continue }
            for owner in group.owners + [(started: started, key: key)] {
                owner.started.insert(key, knownAs: owner.key) { system.effects?.holds($0) ?? false }
            }
            system.begin(group, called: group.isHidden ? slot.name : nil, isolation: isolation)
        }
    }
}

/// The keys of the named effects that a feedback started since it last replaced or cancelled; of a feedback on rows, those of one row.
final class StartedKeys {
    /// The system's key for each key that the feedback gave.
    private var keys: [EffectKey: EffectKey] = [:]
    /// At this number of keys, those whose effects are spent are dropped.
    private var sweepAt = 16

    func insert(_ key: EffectKey, knownAs own: EffectKey, holds: (EffectKey) -> Bool) {
        if keys.updateValue(key, forKey: own) != nil || keys.count < sweepAt { return }
        keys = keys.filter { $0.value == key || holds($0.value) }
        sweepAt = max(16, keys.count * 2)
    }

    /// Removes all keys and returns those whose effects must end: all but `begun`. What happens to those, their policies say.
    func takeAll(except begun: [EffectKey] = []) -> Set<EffectKey> {
        defer { keys = [:] }
        return Set(keys.keys).subtracting(begun)
    }
}
