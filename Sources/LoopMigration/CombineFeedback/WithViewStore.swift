#if canImport(SwiftUI)
public import LoopViews
public import SwiftUI

/// A view made of a store in place. It is drawn anew when that store's state changes; the view around it is not.
///
/// A view of its own that keeps a store in a property is as good. This is for a few lines inside another view:
/// ```swift
/// WithViewStore(store: shop.scope(state: \.total)) { total in
///     Text("\(total.state)")
/// }
/// ```
public struct WithViewStore<State, Event, Content: View>: View {
    private let store: ViewStore<State, Event>
    private let content: (ViewStore<State, Event>) -> Content

    /// - Parameters:
    ///   - store: what the content reads.
    ///   - isSame: whether a state looks to the content like the one before it; `nil` for the store's own rule.
    ///   - content: is called anew when what it has read of the store changes.
    public init(
        store: ViewStore<State, Event>, isSame: ((State, State) -> Bool)? = nil,
        @ViewBuilder content: @escaping (ViewStore<State, Event>) -> Content
    ) {
        self.store = isSame.map { store.scope(state: { $0 }, isSame: $0) } ?? store
        self.content = content
    }

    public var body: some View { content(store) }
}
#endif
