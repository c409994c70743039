import Synchronization

/// A child of a whole, declared once: where its state is, and which event carries its events.
///
/// ```swift
/// extension App {
///     static let cart = Part(\State.cart, Event.cart)
///     static let detail = Part(\State.detail, Event.detail)         // of type `Detail?`: missing at times
///     static let home = Part(case: Screen.home, Event.home)         // one case of a whole that is an enum
/// }
///
/// let reducer = Reducer.all(Reducer(App.reduce), Cart.reducer.on(App.cart), Detail.reducer.on(App.detail))
/// let search = Cart.search.on(App.cart)                             // a feedback; middleware likewise
/// let cart = system.scope(App.cart)
/// ```
/// Parts that were declared at one line and column of a file, with the same types, are the same, unless an `id` tells them apart.
///
/// A case is found by its number, and its payload is read where it lies. Reflection finds the first value of each case, `indirect` cases
/// and, on arm64e and 32-bit platforms, every case, as in ``EnumCase/init(_:)``.
public struct Part<Whole, WholeEvent, State, Event>: Sendable {
    /// The part's state as of now.
    let state: @Sendable (Whole) -> State
    /// Changes the part: a property in place, the payload of a case in a copy. Does nothing if the whole is in another case.
    let change: @Sendable (inout Whole, (inout State) -> Void) -> Void
    /// The whole's event for one of the part's.
    let embed: @Sendable (Event) -> WholeEvent
    /// The part's event in one of the whole's; `nil` if there is none.
    let extract: @Sendable (WholeEvent) -> Event?
    package let id: PartID
}

extension Part {
    /// A property of the whole, which may be optional.
    ///
    /// - Parameters:
    ///   - event: the case of the whole's events that carries the part's alone. Deeper parts: `Cart.reducer.on(Home.cart).on(Root.home)`.
    ///   - id: tells apart parts that one line makes in turn.
    public init(
        _ state: any WritableKeyPath<Whole, State> & Sendable, _ event: @escaping @Sendable (Event) -> WholeEvent,
        id: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) {
        let payload = CasePayload<WholeEvent, Event>()
        self.init(
            state: { $0[keyPath: state] }, change: { whole, change in change(&whole[keyPath: state]) },
            embed: { payload.embedded($0, by: event) }, extract: { payload.taken(from: $0, by: event) },
            id: PartID(of: Self.self, id, fileID: fileID, line: line, column: column))
    }

    /// One case of a whole that is an enum. In other cases the part is missing.
    ///
    /// - Parameters:
    ///   - state: the case.
    ///   - event: the case of the whole's events that carries the part's alone.
    public init<Payload>(
        case state: @escaping @Sendable (Payload) -> Whole, _ event: @escaping @Sendable (Event) -> WholeEvent,
        id: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) where State == Payload? {
        let payload = CasePayload<WholeEvent, Event>()
        let part = CasePayload<Whole, Payload>()
        self.init(
            state: { part.taken(from: $0, by: state) },
            change: { whole, change in
                var found: Payload? = part.taken(from: whole, by: state)
                if found == nil { return }
                change(&found)
                if let found { whole = state(found) }
            }, embed: { payload.embedded($0, by: event) }, extract: { payload.taken(from: $0, by: event) },
            id: PartID(of: Self.self, id, fileID: fileID, line: line, column: column))
    }
}

/// What a part is known by: the place of its declaration, its types, and an id if one was given.
package struct PartID: Hashable, Sendable {
    private let type: ObjectIdentifier
    private let declaration: String
    private let id: HashableID?

    init(of type: Any.Type, _ id: (any Hashable & Sendable)?, fileID: StaticString, line: UInt, column: UInt) {
        self.type = ObjectIdentifier(type)
        declaration = "\(fileID):\(line):\(column)"
        self.id = id.map { HashableID(base: $0) }
    }

    private init(_ other: PartID, id: HashableID?) { (type, declaration, self.id) = (other.type, other.declaration, id) }

    /// Whether this is the id of one row of a collection. Over time there may be very many such ids.
    package var isRow: Bool { id?.isRow ?? false }

    /// An id for a part that has no declaration of its own, a new one at each call.
    package static func unique() -> PartID {
        PartID(of: Self.self, lastUnique.add(1, ordering: .relaxed).newValue, fileID: "", line: 0, column: 0)
    }

    private static let lastUnique = Atomic(0)

    /// The id of the collection if this is a row's, else this id.
    var whole: PartID { isRow ? PartID(self, id: nil) : self }

    /// From the collection to the row if this is a row's id, else this id alone.
    var path: [PartID] { isRow ? [whole, self] : [self] }

    func row<ID>(as _: ID.Type) -> ID? { id?.base as? ID }

    func row(_ row: some Hashable & Sendable) -> PartID { PartID(self, id: HashableID(base: row, isRow: true)) }
}

struct HashableID: Hashable, Sendable {
    let base: any Hashable & Sendable
    var isRow = false

    static func == (a: HashableID, b: HashableID) -> Bool { AnyHashable(a.base) == AnyHashable(b.base) && a.isRow == b.isRow }

    func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(base)) }
}

extension Reducer {
    /// Several reducers, one after the other, each with the state that the one before it left.
    public static func all(_ reducers: Reducer...) -> Reducer { all(of: reducers) }

    /// This reducer on a part of a whole. Other events change nothing.
    public func on<Whole, WholeEvent>(_ part: Part<Whole, WholeEvent, State, Event>) -> Reducer<Whole, WholeEvent> {
        inside(part.id, read: part.state, change: part.change, embed: part.embed, extract: part.extract)
    }

    /// This reducer on a part that may be missing; while it is missing, nothing changes.
    public func on<Whole, WholeEvent>(_ part: Part<Whole, WholeEvent, State?, Event>) -> Reducer<Whole, WholeEvent> {
        inside(
            part.id, leaves: true, read: part.state,
            change: { whole, change in part.change(&whole) { if $0 != nil { change(&$0!) } } }, embed: part.embed, extract: part.extract)
    }
}

extension Feedback {
    /// This feedback on a part of a whole: it sees the part's state and events, and sends events of the part.
    public func on<Whole, WholeEvent>(_ part: LoopCore.Part<Whole, WholeEvent, State, Event>) -> Feedback<Whole, WholeEvent> {
        inside(part.id.path, state: part.state, embed: part.embed, extract: part.extract)
    }

    /// This feedback on a part that may be missing. When it goes missing, the effects are cancelled; when it is back, they begin anew.
    public func on<Whole, WholeEvent>(_ part: LoopCore.Part<Whole, WholeEvent, State?, Event>) -> Feedback<Whole, WholeEvent> {
        inside(part.id.path, state: part.state, embed: part.embed, extract: part.extract)
    }
}

extension Middleware {
    /// This middleware on a part of a whole: it sees the steps of the part's events, and the initial one.
    public func on<Whole, WholeEvent>(_ part: Part<Whole, WholeEvent, State, Event>) -> Middleware<Whole, WholeEvent> {
        pullback(state: part.state, event: part.extract)
    }

    /// This middleware on a part that may be missing: it sees the part's steps and the initial one, if the part is there after them.
    public func on<Whole, WholeEvent>(_ part: Part<Whole, WholeEvent, State?, Event>) -> Middleware<Whole, WholeEvent> {
        pullback(state: part.state, event: part.extract)
    }
}

extension Part { package func has<Wrapped>(_ whole: Whole) -> Bool where State == Wrapped? { state(whole) != nil } }

extension Scope {
    /// A part of this part.
    public func scope<Child, ChildEvent>(_ part: Part<State, Event, Child, ChildEvent>) -> Scope<Child, ChildEvent> {
        scope(state: part.state, event: part.embed)
    }

    /// A part of this part that may be missing; `nil` if it is missing now.
    ///
    /// If the part goes missing later, the scope still shows its last state. Ask here again at each state, and drop the scope at `nil`.
    public func scope<Child, ChildEvent>(_ part: Part<State, Event, Child?, ChildEvent>) -> Scope<Child, ChildEvent>? {
        scope(ifLet: part.state, event: part.embed)
    }
}

extension System {
    /// A part of this system.
    public func scope<Child, ChildEvent>(_ part: Part<State, Event, Child, ChildEvent>) -> Scope<Child, ChildEvent> { scope.scope(part) }

    /// A part of this system that may be missing; `nil` if it is missing now.
    public func scope<Child, ChildEvent>(_ part: Part<State, Event, Child?, ChildEvent>) -> Scope<Child, ChildEvent>? { scope.scope(part) }
}
