/// Reducers of parts, put together to one of the whole. As long as no part describes asynchronous work, all stays in place.
extension Reducer {
    /// Several reducers, one after the other, each with the state that the one before it left.
    package static func all(of reducers: [Reducer]) -> Reducer {
        if reducers.contains(where: \.isDescribing) {
            return Reducer { state, event in
                reducers.reduce(Next.state(state)) { next, reducer in next.flatMap { reducer.next($0, event) } }
            }
        }
        return Reducer { state, event in for reducer in reducers { reducer(&state, event) } }
    }

    /// The reducer of a part, for the whole: a property of its state, and a case of its events. Other events change nothing.
    public func pullback<Whole, WholeEvent>(
        state: WritableKeyPath<Whole, State>, event: EnumCase<WholeEvent, Event>
    ) -> Reducer<Whole, WholeEvent> {
        inside(read: { $0[keyPath: state] }, change: { whole, change in change(&whole[keyPath: state]) }, event: event.extract)
    }

    /// The reducer of a part, for a whole that is an enum with the part as one of its cases. In other cases, and for other
    /// events, nothing changes.
    public func pullback<Whole, WholeEvent>(
        state: EnumCase<Whole, State>, event: EnumCase<WholeEvent, Event>
    ) -> Reducer<Whole, WholeEvent> {
        inside(
            read: state.extract,
            change: { whole, change in
                guard var part = state.extract(whole) else { return }
                change(&part)
                whole = state.embed(part)
            }, event: event.extract)
    }

    /// This reducer for a state that may be missing; while it is, nothing changes.
    public func optional() -> Reducer<State?, Event> {
        inside(read: { $0 }, change: { state, change in if state != nil { change(&state!) } }, event: { $0 })
    }

    /// This reducer inside a whole. While `read` gives `nil` the part is missing, and `change` leaves the whole as it is.
    func inside<Whole, WholeEvent>(
        read: @escaping (Whole) -> State?, change: @escaping (inout Whole, (inout State) -> Void) -> Void,
        event extract: @escaping (WholeEvent) -> Event?
    ) -> Reducer<Whole, WholeEvent> {
        if isDescribing {
            return Reducer<Whole, WholeEvent> { whole, event in
                guard let local = extract(event), let part = read(whole) else { return Next.state(whole) }
                return self.next(part, local).map { part in
                    var whole = whole
                    change(&whole) { $0 = part }
                    return whole
                }
            }
        }
        return Reducer<Whole, WholeEvent> { (whole: inout Whole, event: WholeEvent) in
            guard let local = extract(event) else { return }
            change(&whole) { self(&$0, local) }
        }
    }

    /// This reducer, printing each event and the state it led to.
    ///
    /// For a quick look in a test; a log is a ``Middleware``, which leaves the reducer pure and costs nothing where nothing is
    /// printed.
    ///
    /// - Parameter print: gets a text of several lines for each event. Where the reducer describes asynchronous work, when that
    ///   has ended.
    public func logging(to print: @escaping (String) -> Void) -> Reducer {
        func report(_ event: Event, _ state: State) {
            var text = "event: \(event)\nstate:\n"
            dump(state, to: &text)
            print(text)
        }
        if isDescribing {
            return Reducer { state, event in
                self.next(state, event).map {
                    report(event, $0)
                    return $0
                }
            }
        }
        return Reducer { (state: inout State, event: Event) in
            self(&state, event)
            report(event, state)
        }
    }
}
