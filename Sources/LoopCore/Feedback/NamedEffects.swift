/// What an effect is known by: the part that it belongs to, and its name there.
@usableFromInline
struct EffectKey: Hashable, Sendable {
    /// From the outermost part to the innermost.
    var path: [PartID] = []
    /// `nil` for all effects without a name.
    let id: EffectID?

    func inside(_ parts: [PartID]) -> EffectKey { parts.isEmpty ? self : EffectKey(path: parts + path, id: id) }

    /// Whether it belongs to a part that one of the keys leads to, or to a part within it.
    func isInside(_ keys: Set<EffectKey>) -> Bool {
        if keys.count == 1, let key = keys.first { return path.starts(with: key.path) }
        return path.indices.contains { keys.contains(EffectKey(path: Array(path[...$0]), id: nil)) }
    }
}

/// The effects of a system that are found by their names, and those that its reducer returned without one.
@usableFromInline
final class NamedEffects<State, Event> {
    private var slots: [EffectKey: (number: Int, slot: EffectSlot<State, Event>)] = [:]
    /// The keys of the effects that end when their part goes missing.
    private var leaving: Set<EffectKey> = []
    private var added = 0
    /// At this number of slots, the spent ones are removed.
    private var sweepAt = 16

    var runningCount: Int { slots.values.reduce(0) { $0 + $1.slot.runningCount } }

    func runs(_ key: EffectKey) -> Bool { slots[key].map { $0.slot.runningCount > 0 } ?? false }

    /// Whether an effect of the key runs, or an event of one waits.
    func holds(_ key: EffectKey) -> Bool { slots[key].map { !$0.slot.isSpent } ?? false }

    func slot(_ key: EffectKey, called name: String?, leaves: Bool) -> EffectSlot<State, Event> {
        defer { if leaves { leaving.insert(key) } }
        if let known = slots[key] { return known.slot }
        if slots.count >= sweepAt {
            slots = slots.filter { !$0.value.slot.isSpent }
            leaving = leaving.filter { slots[$0] != nil }
            sweepAt = max(16, slots.count * 2)
        }
        added += 1
        let slot = EffectSlot<State, Event>(name ?? key.id?.description ?? "effect")
        slots[key] = (added, slot)
        return slot
    }

    /// Takes out the effects of keys, in the order in which the keys were added, as the functions below do.
    func take(_ keys: some Sequence<EffectKey>) -> [EffectSlot<State, Event>] {
        let taken = keys.compactMap { key in
            leaving.remove(key)
            return slots.removeValue(forKey: key)
        }
        return taken.sorted { $0.number < $1.number }.map(\.slot)
    }

    func take(where isWanted: (EffectKey) -> Bool) -> [EffectSlot<State, Event>] { take(slots.keys.filter(isWanted)) }

    /// - Parameter presence: makes a test whether the part at a path is there; called only where an effect may have to end.
    func takeMissing(by presence: () -> (ArraySlice<PartID>) -> Bool) -> [EffectSlot<State, Event>] {
        for key in leaving where !holds(key) { leaving.remove(key) }
        if leaving.isEmpty { return [] }
        let isPresent = presence()
        return take(leaving.filter { !isPresent($0.path[...]) })
    }
}
