#if canImport(SwiftUI)
public import LoopViews
public import SwiftUI

/// One view while an optional state is there, another while it is not.
///
/// ```swift
/// IfLetStoreView(store: shop.scope(state: \.detail, event: ShopEvent.detail)) { detail in
///     DetailView(store: detail)
/// } else: {
///     Text("Choose something")
/// }
/// ```
/// It is drawn anew when the state comes or goes. In between, only content that reads the store is drawn anew.
public struct IfLetStoreView<State, Event, Then: View, Else: View>: View {
    /// Changes only when the state comes or goes.
    private let presence: ViewStore<State?, Event>
    private let isSame: ((State, State) -> Bool)?
    private let thenContent: (ViewStore<State, Event>) -> Then
    private let elseContent: () -> Else

    /// - Parameters:
    ///   - store: of a state that may be missing.
    ///   - isSame: whether a state looks to the content like the one before; `nil` for `==`. A state without it draws anew at each step.
    ///   - thenContent: gets a store of the state that is there.
    ///   - elseContent: is shown while there is none.
    public init(
        store: ViewStore<State?, Event>, isSame: ((State, State) -> Bool)? = nil,
        @ViewBuilder then thenContent: @escaping (ViewStore<State, Event>) -> Then,
        @ViewBuilder else elseContent: @escaping () -> Else = { EmptyView() }
    ) {
        presence = store.scope(state: { $0 }, isSame: { ($0 == nil) == ($1 == nil) })
        (self.isSame, self.thenContent, self.elseContent) = (isSame, thenContent, elseContent)
    }

    public var body: some View { if let present = presence.ifLet({ $0 }, isSame: isSame) { thenContent(present) } else { elseContent() } }
}
#endif
