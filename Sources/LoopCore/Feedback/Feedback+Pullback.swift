extension Feedback {
    /// The feedback of a part, for the system of the whole.
    ///
    /// It sees a step if the step's event was the part's, or if the part has changed: a keystroke in another part does not restart this
    /// one's search. Parts of an `Equatable` type are compared by `==`. Parts of other types are compared by their bytes, which refer to
    /// storage: an equal array that was built anew counts as changed.
    ///
    /// While `state` gives `nil` the part is missing: its effects are cancelled, its waiting events removed. Once back, it begins anew.
    ///
    /// - Complexity: the part's last state is kept for the comparison, so a change in place copies what the part holds.
    /// - Parameters:
    ///   - state: the part, such as `\.cart`, of type `Cart` or `Cart?`.
    ///   - event: the case of the whole's events that carries the part's.
    public func pullback<Whole, WholeEvent>(
        state: @escaping (Whole) -> State?, event: EnumCase<WholeEvent, Event>
    ) -> Feedback<Whole, WholeEvent> { inside([.unique()], state: state, embed: event.embed, extract: event.extract) }

    /// This feedback inside a whole. The names of its effects belong to the part at `path`.
    func inside<Whole, WholeEvent>(
        _ path: [PartID], state: @escaping (Whole) -> State?, embed: @escaping (Event) -> WholeEvent,
        extract: @escaping (WholeEvent) -> Event?
    ) -> Feedback<Whole, WholeEvent> {
        let isSame = Sameness.comparison(of: State.self)
        return Feedback<Whole, WholeEvent>(
            parts: parts.map { part in
                .init(name: part.name) {
                    var open: (decide: Decide, last: State)?
                    return { whole, wholeEvent in
                        guard let local = state(whole) else {
                            defer { open = nil }
                            return open == nil ? .keep : .cancel
                        }
                        let localEvent = wholeEvent.flatMap(extract)
                        if let open, localEvent == nil, isSame(open.last, local) { return .keep }
                        let decide = open?.decide ?? part.make()
                        open = (decide, local)
                        return decide(local, localEvent).map(embed, inside: path)
                    }
                }
            })
    }
}

extension Feedback.Decision {
    fileprivate func map<Whole, WholeEvent>(
        _ embed: @escaping (Event) -> WholeEvent, inside path: [PartID]
    ) -> Feedback<Whole, WholeEvent>.Decision {
        switch self {
        case .keep: .keep
        case .cancel: .cancel
        case .replace(let effect): .replace(with: effect.map(embed, inside: path))
        case .add(let effect): .add(effect.map(embed, inside: path))
        }
    }
}
