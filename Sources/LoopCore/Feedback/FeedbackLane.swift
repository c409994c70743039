/// One feedback of one system while it runs: it observes the states and starts effects.
@usableFromInline
final class FeedbackLane<State, Event> {
    @usableFromInline let decide: Feedback<State, Event>.Decide
    @usableFromInline let slot: EffectSlot<State, Event>
    /// The keys of the named effects that it started since it last replaced or cancelled.
    private var keys: Set<EffectKey> = []
    /// At this number of keys, those whose effects are spent are dropped.
    private var sweepAt = 16

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
            endNamed(except: [], in: system)
        case .replace(let effect):
            let groups = effect.groups
            // A named effect that begins again under its name is left to the policy of that name.
            endNamed(except: Set(groups.compactMap(\.key)), in: system)
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
            if keys.insert(key).inserted, keys.count >= sweepAt {
                keys = keys.filter { system.effects?.holds($0) ?? false }
                sweepAt = max(16, keys.count * 2)
                keys.insert(key)
            }
            system.begin(group, called: group.isHidden ? slot.name : nil, isolation: isolation)
        }
    }

    private func endNamed(except kept: Set<EffectKey>, in system: System<State, Event>) {
        if keys.isEmpty { return }
        let ended = keys.subtracting(kept)
        keys = []
        system.cancelEffects(ended)
    }

    var runningCount: Int { slot.runningCount }

    /// Cancels all effects without a name and removes their events that wait, also those of ended effects.
    func cancel() { slot.cancel() }
}
