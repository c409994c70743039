import Basics
import Synchronization

/// The rows of a collection, found by their ids: the state of a ``Part`` that stands for each row.
///
/// ```swift
/// extension App { static let rows = Part(each: \State.rows, id: \.id, Event.row) }       // case row(Row.ID, Row.Event)
///
/// let reducer = Row.reducer.on(App.rows)                  // every row, each for its events
/// let row = system.scope(App.rows[7])                     // one of them; `nil` while it is not there
/// ```
public struct Parts<Row, ID: Hashable & Sendable> {
    public fileprivate(set) var rows: [Row]
    let id: any KeyPath<Row, ID> & Sendable
    fileprivate var last: LastIndex

    /// The row of an id; `nil` if there is none.
    ///
    /// - Complexity: O(1) where the row is at the index at which a row was found last; else O(n).
    public subscript(id: ID) -> Row? { index(of: id).map { rows[$0] } }

    fileprivate func index(of wanted: ID) -> Int? {
        let known = last.value.load(ordering: .relaxed)
        if has(wanted, at: known) { return known }
        guard let index = rows.firstIndex(where: { $0[keyPath: id] == wanted }) else { return nil }
        last.value.store(index, ordering: .relaxed)
        return index
    }

    private func has(_ wanted: ID, at index: Int) -> Bool { rows.indices.contains(index) && rows[index][keyPath: id] == wanted }

    /// Makes a function that finds rows in turn, mostly the same ones at each step: those whose effects run. The first row that is not
    /// where it was is searched for. At the second, a dictionary of all rows is made.
    ///
    /// - Parameter indices: where the rows were. A wrong index does no harm, as it is checked.
    fileprivate func lookup(_ indices: Lock<[ID: Int]>) -> (ID) -> Row? {
        var new: [ID: Int]?
        var isFirst = true
        return { wanted in
            let known = last.value.load(ordering: .relaxed)
            if has(wanted, at: known) { return rows[known] }
            if let new { return new[wanted].map { rows[$0] } }
            if let known = indices.withLock({ $0 })[wanted], has(wanted, at: known) { return rows[known] }
            // A single search is cheaper without a dictionary. The one kept does not grow with all rows that ever were.
            if exchange(&isFirst, with: false) {
                guard let index = rows.firstIndex(where: { $0[keyPath: id] == wanted }) else { return nil }
                indices.withLock { if $0.count > 2 * rows.count { $0 = [wanted: index] } else { $0[wanted] = index } }
                return rows[index]
            }
            let all = Dictionary(zip(rows.map { $0[keyPath: id] }, rows.indices)) { first, _ in first }
            new = all
            indices.withLock { $0 = all }
            return all[wanted].map { rows[$0] }
        }
    }
}

/// The index at which a row was found last. A wrong one does no harm, as it is checked.
private final class LastIndex: Sendable { let value = Atomic(0) }

/// An event of one row, with the row's id.
public struct RowEvent<ID, Event> {
    // No tuple in its place: a tuple would be taken apart, and each nested part would take stack for its event.
    public let id: ID
    public let event: Event
}

extension Part {
    /// Each row of a collection: ``Parts``.
    ///
    /// - Parameters:
    ///   - rows: the collection.
    ///   - id: what a row is known by. Ids must differ: of two rows with one id, either may get the events.
    ///   - event: the case of the whole's events that carries a row's id and its event, and nothing else.
    public init<Row, ID, Local>(
        each rows: any WritableKeyPath<Whole, [Row]> & Sendable, id: any KeyPath<Row, ID> & Sendable,
        _ event: @escaping @Sendable (ID, Local) -> WholeEvent, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) where State == Parts<Row, ID>, Event == RowEvent<ID, Local> {
        let payload = CasePayload<WholeEvent, (ID, Local)>()
        let last = LastIndex()
        self.init(
            state: { Parts(rows: $0[keyPath: rows], id: id, last: last) },
            change: { whole, change in
                // Taken out, so that nothing else holds the rows and a row is changed in place. An observer of the property sees a change.
                func inPlace(_ all: inout [Row]) {
                    var parts = Parts(rows: all, id: id, last: last)
                    all = []
                    change(&parts)
                    all = parts.rows
                }
                inPlace(&whole[keyPath: rows])
            }, embed: { payload.embedded(($0.id, $0.event)) { event($0.0, $0.1) } },
            extract: { payload.taken(from: $0) { event($0.0, $0.1) }.map { RowEvent(id: $0.0, event: $0.1) } },
            id: PartID(of: Self.self, nil, fileID: fileID, line: line, column: column))
    }

    /// One row, as a part that is missing while no row has the id.
    public subscript<Row, ID, Local>(row: ID) -> Part<Whole, WholeEvent, Row?, Local>
    where State == Parts<Row, ID>, Event == RowEvent<ID, Local> {
        // One for each row: the rows of a list are looked at in turn, and a shared index would mostly be wrong.
        let last = LastIndex()
        return Part<Whole, WholeEvent, Row?, Local>(
            state: { whole in
                var parts = self.state(whole)
                parts.last = last
                return parts[row]
            },
            change: { whole, change in
                self.change(&whole) { parts in
                    var found = parts[row]
                    change(&found)
                    if let found, let index = parts.index(of: row) { parts.rows[index] = found }
                }
            }, embed: { self.embed(RowEvent(id: row, event: $0)) },
            extract: { self.extract($0).flatMap { $0.id == row ? $0.event : nil } }, id: id.row(row))
    }
}

extension Reducer {
    /// This reducer on each row of a collection. Events for a row that is not there change nothing.
    public func on<Whole, WholeEvent, ID>(
        _ part: Part<Whole, WholeEvent, Parts<State, ID>, RowEvent<ID, Event>>
    ) -> Reducer<Whole, WholeEvent> {
        let indices = Lock([ID: Int]())
        return inside(
            leaves: true, path: { part.id.row($0).path },
            key: { $0.first == part.id ? $0.dropFirst().first?.row(as: ID.self) : nil }, read: { part.state($0).lookup(indices) },
            change: { whole, id, change in
                part.change(&whole) { rows in if let index = rows.index(of: id) { change(&rows.rows[index]) } }
            }, embed: { part.embed(RowEvent(id: $0, event: $1)) }, extract: part.extract)
    }
}

extension Feedback {
    /// This feedback on each row of a collection, each with a memory of its own: the effects that a row started end when the row goes.
    ///
    /// - Complexity: O(n) in the rows, at each step.
    public func on<Whole, WholeEvent, ID>(
        _ part: LoopCore.Part<Whole, WholeEvent, Parts<State, ID>, RowEvent<ID, Event>>
    ) -> Feedback<Whole, WholeEvent> {
        let isSame = Sameness.comparison(of: State.self)
        return Feedback<Whole, WholeEvent>(
            parts: parts.map { own in
                .init(name: own.name) {
                    // Effects without a name replace each other within a row.
                    let hidden = EffectID(PartID.unique())
                    var open: [ID: (decide: Decide, started: StartedKeys, last: State)] = [:]
                    return { whole, wholeEvent in
                        let parts = part.state(whole)
                        let event = wholeEvent.flatMap(part.extract)
                        var seen: [ID: (decide: Decide, started: StartedKeys, last: State)] = [:]
                        var effects: [Effect<WholeEvent>] = []
                        for row in parts.rows {
                            let id = row[keyPath: parts.id]
                            if seen[id] != nil { continue }
                            let known = open[id]
                            let local = event.flatMap { $0.id == id ? $0.event : nil }
                            let (decide, started) = (known?.decide ?? own.make(), known?.started ?? StartedKeys())
                            seen[id] = (decide, started, row)
                            if let known, local == nil, isSame(known.last, row) { continue }
                            let effect = decide(row, local).effect(hidden, started)
                            effects.append(effect.map({ part.embed(RowEvent(id: id, event: $0)) }, inside: part.id.row(id).path))
                        }
                        let left = open.keys.filter { seen[$0] == nil }.map { EffectKey(path: part.id.row($0).path, id: nil) }
                        effects.append(.ending(Set(left), areParts: true))
                        open = seen
                        return .add(.merge(effects))
                    }
                }
            })
    }
}

extension Feedback.Decision {
    /// The decision as an effect, whose parts without a name have this one. What the feedback started before ends as the decision says.
    fileprivate func effect(_ hidden: EffectID, _ started: StartedKeys) -> Effect<Event> {
        switch self {
        case .keep: return .none
        case .cancel: return .ending(started.takeAll())
        case .replace(let effect):
            let effect = effect.named(hidden, .replacing, isHidden: true)
            return .ending(started.takeAll(except: effect.groups.compactMap(\.key))).followed(by: effect.noted(in: started))
        case .add(let effect): return effect.named(hidden, .beside, isHidden: true).noted(in: started)
        }
    }
}

extension Middleware {
    /// This middleware on each row of a collection. It sees the steps of events whose row is there after the step, and no initial step.
    public func on<Whole, WholeEvent, ID>(
        _ part: Part<Whole, WholeEvent, Parts<State, ID>, RowEvent<ID, Event>>
    ) -> Middleware<Whole, WholeEvent> {
        pullback(of: { (rows: Parts<State, ID>, event: RowEvent<ID, Event>?) in event.flatMap { rows[$0.id] } }, event: { $0.event })
            .on(part)
    }
}
