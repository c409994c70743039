#if canImport(SwiftUI)
public import LoopCore
public import LoopViews
public import SwiftUI

/// A view for each case of an enum state; the compiler sees that none is forgotten.
///
/// ```swift
/// SwitchStoreView(store: app) { state in
///     switch state {
///     case .signedIn: CaseLetStoreView(EnumCase(App.signedIn), event: AppEvent.home) { HomeView(store: $0) }
///     case .signedOut: CaseLetStoreView(EnumCase(App.signedOut), event: AppEvent.signIn) { SignInView(store: $0) }
///     }
/// }
/// ```
public struct SwitchStoreView<State, Event, Content: View>: View {
    private let store: ViewStore<State, Event>
    private let content: (State) -> Content

    /// - Parameters:
    ///   - store: its state is an enum.
    ///   - isSame: whether a state looks to the `switch` like the one before it; `nil` for the store's own rule. For a `switch` that looks
    ///     at nothing but the case, compare the cases without their payloads.
    ///   - content: a `switch` over the state, with a ``CaseLetStoreView`` in each case.
    public init(
        store: ViewStore<State, Event>, isSame: ((State, State) -> Bool)? = nil, @ViewBuilder content: @escaping (State) -> Content
    ) {
        self.store = isSame.map { store.scope(state: { $0 }, isSame: $0) } ?? store
        self.content = content
    }

    public var body: some View { content(store.state).environment(store) }
}

/// A view of one case of the state of the ``SwitchStoreView`` around it.
public struct CaseLetStoreView<State, Event, CaseState, CaseEvent, Content: View>: View {
    @Environment(ViewStore<State, Event>.self) private var store
    private let part: (State) -> CaseState?
    private let event: (CaseEvent) -> Event
    private let isSame: ((CaseState, CaseState) -> Bool)?
    private let content: (ViewStore<CaseState, CaseEvent>) -> Content

    /// - Parameters:
    ///   - part: the payload of the case; `nil` in any other case.
    ///   - event: makes the whole's event from the case's.
    ///   - isSame: whether a state looks to the content like the one before; `nil` for `==`. A state without it draws anew at each step.
    ///   - content: gets a store of the payload.
    public init(
        state part: @escaping (State) -> CaseState?, event: @escaping (CaseEvent) -> Event, isSame: ((CaseState, CaseState) -> Bool)? = nil,
        @ViewBuilder then content: @escaping (ViewStore<CaseState, CaseEvent>) -> Content
    ) { (self.part, self.event, self.isSame, self.content) = (part, event, isSame, content) }

    /// A view of one case, by the case's name: `CaseLetStoreView(EnumCase(App.signedIn), event: AppEvent.home) { HomeView(home: $0) }`.
    public init(
        _ stateCase: EnumCase<State, CaseState>, event: @escaping (CaseEvent) -> Event, isSame: ((CaseState, CaseState) -> Bool)? = nil,
        @ViewBuilder then content: @escaping (ViewStore<CaseState, CaseEvent>) -> Content
    ) { self.init(state: stateCase.extract, event: event, isSame: isSame, then: content) }

    public var body: some View { IfLetStoreView(store: store.scope(state: part, event: event), isSame: isSame, then: content) }
}
#endif
