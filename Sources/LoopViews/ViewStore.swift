public import LoopCore
public import Observation

/// A system as views want it: properties to read that are observed, and events to send.
///
/// ```swift
/// struct CartView: View {
///     let cart: ViewStore<Cart.State, Cart.Event>
///
///     var body: some View {
///         Text(cart.title)                                     // the state's property `title`
///         Button("Buy") { cart.send(.buy) }
///     }
/// }
/// ```
/// Whoever reads the state while observation is on (a SwiftUI body, `withObservationTracking`) is told when it changes. A state
/// that equals the one before changes nothing, so nothing is drawn anew for it.
///
/// **Where it lives.** On the main actor, as views do; so does its system.
///
/// **Life.** It keeps its system alive and holds no view. The system does not keep it alive: several may come and go on
/// one system, and what a gone one leaves there is cleared away at the next step.
@MainActor @Observable @dynamicMemberLookup
public final class ViewStore<State, Event> {
    /// The system's state as of now. Where states count as equal, the first of them.
    public private(set) var state: State

    /// The system behind it, for what views do not need: attaching middleware, stopping, waiting.
    @ObservationIgnored public let system: System<State, Event>

    /// A store for states that can be compared: equal ones in a row count as one.
    public convenience init(_ system: System<State, Event>) where State: Equatable { self.init(system) { $0 == $1 } }

    /// A store for states that cannot be compared, or not by `==`. Each step counts as a change, unless `isSame` says otherwise.
    ///
    /// - Parameters:
    ///   - system: lives on the main actor. If it has not run yet, this starts it there.
    ///   - isSame: whether a state looks to the views like the one before it.
    public init(_ system: System<State, Event>, isSame: @escaping (State, State) -> Bool = { _, _ in false }) {
        system.start(isolation: MainActor.shared)
        self.system = system
        state = system.state
        let place = BindingPlace<State>()
        place.binding = system.addBinding { [weak self, weak system] state in
            guard let self else {
                // Here and not in a deinit: one that runs on the main actor asks for newer systems than the package does.
                if let binding = place.binding { system?.remove(binding) }
                return
            }
            if !isSame(self.state, state) { self.state = state }
        }
    }

    /// A property of the state.
    public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value { state[keyPath: keyPath] }

    /// Sends an event to the system: ``LoopCore/System/send(_:isolation:fileID:line:)``.
    public func send(_ event: Event, fileID: StaticString = #fileID, line: UInt = #line) {
        system.send(event, isolation: MainActor.shared, fileID: fileID, line: line)
    }
}

/// Tells a binding's closure which binding it is, once it is one.
private final class BindingPlace<State> {
    weak var binding: Binding<State>?
}
