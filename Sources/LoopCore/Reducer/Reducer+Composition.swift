/// Reducers of parts, combined into one of the whole. As long as no part describes asynchronous work, properties change in place.
extension Reducer {
    package static func all(of reducers: [Reducer]) -> Reducer {
        var all =
            if reducers.contains(where: \.isDescribing) {
                Reducer(
                    .describing { state, event, effects in
                        reducers.reduce(Next.state(state)) { next, reducer in next.flatMap { reducer.next($0, event, effects) } }
                    })
            } else {
                Reducer(
                    .effecting { state, event in
                        reducers.reduce(.none) { effect, reducer in effect.followed(by: reducer.effect(&state, event)) }
                    })
            }
        for reducer in reducers {
            if let interrupting = reducer.interrupting { all = all.interrupts(interrupting) }
            all.presences += reducer.presences
        }
        return all
    }

    /// The reducer of a part, for the whole: a property of its state, and a case of its events. Other events change nothing.
    public func pullback<Whole, WholeEvent>(
        state: WritableKeyPath<Whole, State>, event: EnumCase<WholeEvent, Event>
    ) -> Reducer<Whole, WholeEvent> {
        inside(
            .unique(), read: { $0[keyPath: state] }, change: { whole, change in change(&whole[keyPath: state]) }, embed: event.embed,
            extract: event.extract)
    }

    /// This reducer inside a whole. `leaves` says whether the part may be missing. Then `read` gives `nil` and `change` does nothing.
    package func inside<Whole, WholeEvent>(
        _ part: PartID, leaves: Bool = false, read: @escaping (Whole) -> State?,
        change: @escaping (inout Whole, (inout State) -> Void) -> Void, embed: @escaping (Event) -> WholeEvent,
        extract: @escaping (WholeEvent) -> Event?
    ) -> Reducer<Whole, WholeEvent> {
        let path = part.path
        return inside(
            leaves: leaves, path: { _ in path }, key: { $0.starts(with: path) ? () : nil }, read: { whole in { _ in read(whole) } },
            change: { whole, _, apply in change(&whole, apply) }, embed: { _, event in embed(event) },
            extract: { extract($0).map { RowEvent(id: (), event: $0) } })
    }

    /// This reducer inside a whole that may have several such parts, each known by a key. `path` leads to the part of a key. `key` gives
    /// the key of the part at a path, or `nil` if the path leads to no part of this reducer.
    func inside<Whole, WholeEvent, Key>(
        leaves: Bool, path: @escaping (Key) -> [PartID], key: @escaping (ArraySlice<PartID>) -> Key?,
        read: @escaping (Whole) -> (Key) -> State?, change: @escaping (inout Whole, Key, (inout State) -> Void) -> Void,
        embed: @escaping (Key, Event) -> WholeEvent, extract: @escaping (WholeEvent) -> RowEvent<Key, Event>?
    ) -> Reducer<Whole, WholeEvent> {
        var inside = Reducer<Whole, WholeEvent>(
            .effecting { whole, event in
                guard let part = extract(event) else { return .none }
                var effect = Effect<Event>.none
                change(&whole, part.id) { effect = self.effect(&$0, part.event) }
                if case .none = effect.content { return .none }
                let key = part.id
                return effect.map({ embed(key, $0) }, inside: path(key), leaves: leaves)
            })
        if isDescribing {
            inside = Reducer<Whole, WholeEvent>(
                .describing { whole, event, effects in
                    guard let part = extract(event), let state = read(whole)(part.id) else { return Next.state(whole) }
                    let key = part.id
                    let sink = effects.pullback({ embed(key, $0) }, inside: path(key), leaves: leaves)
                    return self.next(state, part.event, sink).map { state in
                        var whole = whole
                        change(&whole, key) { $0 = state }
                        return whole
                    }.inside(path(key))
                })
        }
        if let interrupting { inside = inside.interrupts { extract($0).map { interrupting($0.event) } ?? false } }
        inside.presences.append { whole in
            let read = read(whole)
            return { wanted in
                guard let key = key(wanted) else { return true }
                return read(key).map { self.presence(in: $0)(wanted.dropFirst(path(key).count)) } ?? false
            }
        }
        return inside
    }
}
