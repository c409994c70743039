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
///         Button("Buy", action: cart.action(for: .buy))
///         TotalView(total: cart.scope(state: \.total))         // drawn anew only if the total changes
///     }
/// }
/// ```
/// Whoever reads the state while observation is on (a SwiftUI body, `withObservationTracking`) is notified when it changes, whichever
/// property was read. A state that equals the one before changes nothing, so nothing is drawn anew for it. A view that should not
/// be redrawn for changes elsewhere gets a store of its part: ``scope(state:event:isSame:)``.
///
/// **Where it lives.** On the main actor, as views do; so does its system.
///
/// **Life.** It keeps its system alive and holds no view. The system does not keep it alive: several may come and go on
/// one system, whose bindings to released ones are removed at the next step or when others are added.
@MainActor @Observable @dynamicMemberLookup
public final class ViewStore<State, Event> {
    /// The current state. Of states that count as equal, it keeps the earlier one.
    public private(set) var state: State

    /// The state without observation, for what is not a view: scopes to hand on, functions to bind.
    @ObservationIgnored public let scope: Scope<State, Event>

    /// A store of a whole system.
    ///
    /// - Parameters:
    ///   - system: lives on the main actor. If it has not run yet, this starts it there.
    ///   - isSame: whether a state looks to the views like the one before it, and counts as no change. `nil` asks `==`; states that are
    ///     not `Equatable` then change at each step.
    public convenience init(_ system: System<State, Event>, isSame: ((State, State) -> Bool)? = nil) {
        self.init(system.scope, isSame: isSame)
    }

    /// A store of the part of a system that a scope shows.
    ///
    /// - Parameter isSame: whether a state looks to the views like the one before it; `nil` asks `==` where there is one.
    public init(_ scope: Scope<State, Event>, isSame: ((State, State) -> Bool)? = nil) {
        let isSame = isSame ?? Sameness.equality(of: State.self) ?? { _, _ in false }
        scope.start(isolation: MainActor.shared)
        self.scope = scope
        state = scope.state
        scope.bind(weakly: self) { store, state in
            // `_state` avoids registering a read: sending, or making a store, reads nothing.
            if !isSame(store._state, state) { store.state = state }
        }
    }

    /// A property of the state.
    public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value { state[keyPath: keyPath] }

    /// Sends an event to the system: ``/LoopCore/System/send(_:isolation:fileID:line:)``.
    public func send(_ event: Event, fileID: StaticString = #fileID, line: UInt = #line) {
        scope.send(event, isolation: MainActor.shared, fileID: fileID, line: line)
    }

    /// What a button calls: sends the event each time.
    public func action(
        for event: Event, fileID: StaticString = #fileID, line: UInt = #line
    ) -> @MainActor () -> Void {
        { self.send(event, fileID: fileID, line: line) }
    }
}
