extension Effect {
    /// This effect with its events mapped, as an effect of the part at `path` (outermost part first). Its names then belong to that part.
    /// With `leaves` it ends when the part goes missing. With an empty path it belongs to no part.
    func map<Other>(_ transform: @escaping (Event) -> Other, inside path: [PartID] = [], leaves: Bool = false) -> Effect<Other> {
        switch content {
        case .none: return .none
        case .event(let event) where !leaves: return .event(transform(event))
        default:
            return Effect<Other>(
                .groups(
                    groups.map { group in
                        // A group without a name gets a key only where the part can go missing: the key ends it with the part.
                        let key = (group.key ?? (leaves ? EffectKey(id: nil) : nil))?.inside(path)
                        return Effect<Other>.Group(
                            kinds: group.kinds.map { $0.map(transform, inside: path) }, key: key, policy: group.policy,
                            leaves: group.leaves || leaves, isHidden: group.isHidden, owners: group.owners)
                    }))
        }
    }

    func followed(by other: Effect) -> Effect {
        if case .none = content { return other }
        if case .none = other.content { return self }
        return Effect(.groups(groups + other.groups))
    }
}

extension Effect.Kind {
    fileprivate func map<Other>(_ transform: @escaping (Event) -> Other, inside path: [PartID]) -> Effect<Other>.Kind {
        switch self {
        case .events(let events): .events(events.map(transform))
        case .work(let work, let isAwaited): .work({ outlet in try await work(outlet.pullback(transform)) }, isAwaited: isAwaited)
        case .attached(let attach): .attached { outlet in attach(outlet.pullback(transform)) }
        case .cancel(let keys, let isLeaving): .cancel(Set(keys.map { $0.inside(path) }), isLeaving: isLeaving)
        case .delayed(let duration, let kinds): .delayed(duration, kinds.map { $0.map(transform, inside: path) })
        }
    }
}

/// Takes the effects of a reducer that is combined with one that returns a ``Next``: a `Next` carries no effects.
@usableFromInline
struct EffectSink<Event> {
    @usableFromInline let add: (Effect<Event>) -> Void

    /// The sink for a reducer within a part.
    func pullback<Local>(_ transform: @escaping (Local) -> Event, inside path: [PartID], leaves: Bool) -> EffectSink<Local> {
        EffectSink<Local> { add($0.map(transform, inside: path, leaves: leaves)) }
    }
}

/// The effects of one event.
@usableFromInline
final class CollectedEffects<Event> {
    private var effects: [Effect<Event>] = []

    @usableFromInline init() {}

    @usableFromInline var sink: EffectSink<Event> { EffectSink { self.effects.append($0) } }

    @usableFromInline var merged: Effect<Event> { effects.isEmpty ? .none : Effect(.groups(effects.flatMap(\.groups))) }
}
