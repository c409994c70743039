import Synchronization

/// The rows of a collection, found by their ids: what a ``Part`` of each row has as its state.
///
/// ```swift
/// extension App { static let rows = Part(each: \State.rows, id: \.id, Event.row) }       // case row(Row.ID, Row.Event)
///
/// let reducer = Row.reducer.on(App.rows)                  // every row, each for its events
/// let row = system.scope(App.rows[7])                     // one of them; `nil` while it is not there
/// ```
public struct Parts<Row, ID: Hashable & Sendable> {
    public fileprivate(set) var rows: [Row]
    fileprivate let id: any KeyPath<Row, ID> & Sendable
    fileprivate var last: LastIndex

    /// The row of an id; `nil` if there is none.
    ///
    /// - Complexity: O(1) where the row is at the index at which a row was found last; else O(n).
    public subscript(id: ID) -> Row? { index(of: id).map { rows[$0] } }

    fileprivate func index(of wanted: ID) -> Int? {
        let known = last.value.load(ordering: .relaxed)
        if rows.indices.contains(known), rows[known][keyPath: id] == wanted { return known }
        guard let index = rows.firstIndex(where: { $0[keyPath: id] == wanted }) else { return nil }
        last.value.store(index, ordering: .relaxed)
        return index
    }

    fileprivate func replacing(_ id: ID, with row: Row) -> Parts {
        guard let index = index(of: id) else { return self }
        var parts = self
        parts.rows[index] = row
        return parts
    }
}

/// Where a row was found last; wrong is as good as unknown.
private final class LastIndex: Sendable {
    let value = Atomic(0)
}

/// An event of one row, with the row's id.
public struct RowEvent<ID: Hashable & Sendable, Event> {
    public let id: ID
    public let event: Event
}

extension Part {
    /// Each row of a collection: ``Parts``.
    ///
    /// - Parameters:
    ///   - rows: the collection.
    ///   - id: what a row is known by; of two rows with one id the first gets its events.
    ///   - event: the case of the whole's events that carries a row's id and its event.
    public init<Row, ID, Local>(
        each rows: any WritableKeyPath<Whole, [Row]> & Sendable, id: any KeyPath<Row, ID> & Sendable,
        _ event: @escaping @Sendable (ID, Local) -> WholeEvent, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) where State == Parts<Row, ID>, Event == RowEvent<ID, Local> {
        let payload = CasePayload<WholeEvent, (ID, Local)>()
        let last = LastIndex()
        self.init(
            state: { Parts(rows: $0[keyPath: rows], id: id, last: last) },
            change: { whole, change in
                // Taken out, so that a row is changed where it lies.
                var parts = Parts(rows: whole[keyPath: rows], id: id, last: last)
                whole[keyPath: rows] = []
                change(&parts)
                whole[keyPath: rows] = parts.rows
            }, embed: { event($0.id, $0.event) },
            extract: { payload.taken(from: $0) { event($0.0, $0.1) }.map { RowEvent(id: $0.0, event: $0.1) } },
            id: PartID(of: Self.self, nil, fileID: fileID, line: line, column: column))
    }

    /// One row, as a part that is missing while no row has the id.
    public subscript<Row, ID, Local>(row: ID) -> Part<Whole, WholeEvent, Row?, Local>
    where State == Parts<Row, ID>, Event == RowEvent<ID, Local> {
        // Of its own: the rows of a list are looked at in turn.
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
                    if let found { parts = parts.replacing(row, with: found) }
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
        if isDescribing {
            return Reducer<Parts<State, ID>, RowEvent<ID, Event>> { parts, event in
                guard let row = parts[event.id] else { return Next.state(parts) }
                return self.next(row, event.event).map { parts.replacing(event.id, with: $0) }
            }.on(part)
        }
        return Reducer<Parts<State, ID>, RowEvent<ID, Event>> { (parts: inout Parts<State, ID>, event: RowEvent<ID, Event>) in
            if let index = parts.index(of: event.id) { self(&parts.rows[index], event.event) }
        }.on(part)
    }
}
