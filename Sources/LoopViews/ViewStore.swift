public import LoopCore
public import Observation

/// A system, or a part of one, as views want it: properties to read that are observed, and events to send.
///
/// ```swift
/// struct CartView: View {
///     let cart: ViewStore<Cart.State, Cart.Event>
///
///     var body: some View {
///         Text(cart.title)                                     // the state's property `title`
///         TextField("Note", text: cart.binding(for: \.note, event: Cart.Event.note))
///         Button("Buy") { cart.send(.buy) }
///         TotalView(total: cart.scope(state: \.total))         // a store of a part
///     }
/// }
/// ```
/// Whoever reads a property while observation is on (a SwiftUI body, `withObservationTracking`) is notified when that property changes, and
/// not when another does: each step compares the properties read by `==`; without it they count as changed. Reading ``state`` reads all.
///
/// **Where it lives.** On the main actor, as views do; so does its system.
///
/// **Life.** It keeps its system alive and holds no view. The system does not keep it alive. Several stores may come and go on one system:
/// bindings to released stores are removed at the next step or when others are added. Making a store starts nothing: the first read starts
/// the system after the current turn of the main actor, because a body must not change what it draws.
@MainActor @dynamicMemberLookup
public final class ViewStore<State, Event>: Observable {
    /// The state without observation, for code that is not a view: scopes to hand on, functions to bind.
    public let scope: Scope<State, Event>

    private var shown: State
    private let change = ObservedChange()
    private var wasRead = false
    private let isSame: (State, State) -> Bool
    /// What was read of the state: properties by their key paths, the presence of parts by their ids.
    private var parts: [AnyHashable: ObservedPart<State>] = [:]
    private var mostParts = 16
    private var children = ChildStores()

    /// A store of a whole system.
    ///
    /// - Parameters:
    ///   - system: lives on the main actor. If it has not run yet, the first read or ``send(_:fileID:line:)`` starts it there.
    ///   - isSame: whether a state looks to the views like the one before. `nil` uses `==`; states that are not `Equatable` always change.
    public convenience init(_ system: System<State, Event>, isSame: ((State, State) -> Bool)? = nil) {
        self.init(system.scope, isSame: isSame)
    }

    /// A store of the part of a system that a scope shows.
    ///
    /// - Parameter isSame: whether a state looks to the views like the one before it; `nil` uses `==` if the state has it.
    public init(_ scope: Scope<State, Event>, isSame: ((State, State) -> Bool)? = nil) {
        self.isSame = isSame ?? Sameness.equality(of: State.self) ?? { _, _ in false }
        self.scope = scope
        shown = scope.state
        scope.startsLater()
        scope.bind(weakly: self) { store, state in store.show(state) }
    }

    /// The current state. Of states that count as equal, the earlier one stays.
    public var state: State {
        change.read()
        return started
    }

    /// A property of the state.
    public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value { read(keyPath) { $0[keyPath: keyPath] } }

    /// - Parameter key: stands for values of one type only.
    private func read<Value>(_ key: AnyHashable, _ find: @escaping (State) -> Value) -> Value {
        if let known = parts[key] { return unsafeDowncast(known, to: ObservedValue<State, Value>.self).read() }
        let made = ObservedValue(of: started, find)
        parts[key] = made
        return made.read()
    }

    /// The state, unobserved. The first read starts the system after the current turn of the main actor.
    private var started: State {
        if !wasRead {
            wasRead = true
            Task { [weak self] in self?.scope.start(isolation: MainActor.shared) }
        }
        return shown
    }

    private func show(_ state: State) {
        if isSame(shown, state) { return }
        change.make { shown = state }
        for (key, part) in parts where !part.update(state) { parts[key] = nil }
        if parts.count < mostParts { return }
        // Views that wait for a row that is missing read again. Of most rows that were read so the views have gone, too.
        for case let (key, part as ObservedValue<State, Bool>) in parts where (key.base as? PartID)?.isRow == true && !part.value {
            parts[key] = nil
            part.change.make {}
        }
        mostParts = max(16, parts.count * 2)
    }

    /// The store of a part: the same object at each call, kept as long as this store.
    ///
    /// Changes elsewhere do not reach it. It keeps the system alive, not the store it comes from.
    /// ```swift
    /// let basket = shop.scope(Shop.cart)
    /// ```
    public func scope<Child, ChildEvent>(_ part: Part<State, Event, Child, ChildEvent>) -> ViewStore<Child, ChildEvent> {
        children.store(part.id) { ViewStore<Child, ChildEvent>(scope.scope(part)) }
    }

    /// The store of a part that may be missing; `nil` while it is. The call is observed: its caller is notified when that changes.
    ///
    /// A store that is still shown when its part goes keeps the last state. The store of a row is kept while somebody has it.
    /// ```swift
    /// if let item = store.scope(Shop.item) { DetailView(store: item) }
    /// ```
    public func scope<Child, ChildEvent>(_ part: Part<State, Event, Child?, ChildEvent>) -> ViewStore<Child, ChildEvent>? {
        guard read(part.id, part.has), let child = scope.scope(part) else {
            children.remove(part.id, as: ViewStore<Child, ChildEvent>.self)
            return nil
        }
        return children.store(part.id) { ViewStore<Child, ChildEvent>(child) }
    }

    /// A store of a part: it sees that part of the state and sends its own events.
    ///
    /// Changes elsewhere do not reach it. It keeps the system alive, not the store it comes from.
    /// ```swift
    /// let basket = shop.scope(state: { $0.basket }, event: Shop.Event.basket)
    /// ```
    /// - Parameters:
    ///   - part: finds the part in the state; called at each step.
    ///   - event: makes the system's event from the part's.
    ///   - isSame: whether two parts count as equal, so that no view is notified of the second; `nil` uses `==` if the part has it.
    public func scope<Part, PartEvent>(
        state part: @escaping (State) -> Part, event: @escaping (PartEvent) -> Event, isSame: ((Part, Part) -> Bool)? = nil
    ) -> ViewStore<Part, PartEvent> { ViewStore<Part, PartEvent>(scope.scope(state: part, event: event), isSame: isSame) }

    /// A store of a part that sends this store's events.
    public func scope<Part>(state part: @escaping (State) -> Part, isSame: ((Part, Part) -> Bool)? = nil) -> ViewStore<Part, Event> {
        scope(state: part, event: { $0 }, isSame: isSame)
    }

    /// Sends an event to the system: ``/LoopCore/System/send(_:isolation:fileID:line:)``.
    public func send(_ event: Event, fileID: StaticString = #fileID, line: UInt = #line) {
        scope.send(event, isolation: MainActor.shared, fileID: fileID, line: line)
    }
}
