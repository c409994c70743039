#if canImport(SwiftUI)
public import SwiftUI

/// A view made of a store in place, drawn anew when that store's state changes and not when anything around it does.
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
    ///   - content: is called anew when what it has read of the store changes.
    public init(store: ViewStore<State, Event>, @ViewBuilder content: @escaping (ViewStore<State, Event>) -> Content) {
        self.store = store
        self.content = content
    }

    /// A view that is drawn anew by a rule of its own.
    ///
    /// - Parameter isSame: whether a state looks to the content like the one before it.
    public init(
        store: ViewStore<State, Event>, isSame: @escaping (State, State) -> Bool,
        @ViewBuilder content: @escaping (ViewStore<State, Event>) -> Content
    ) {
        self.init(store: store.scope(state: { $0 }, isSame: isSame), content: content)
    }

    public var body: some View { content(store) }
}
#endif
