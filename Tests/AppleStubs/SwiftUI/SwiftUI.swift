// The few signatures of SwiftUI that LoopViews, LoopMigration and the examples use, as Apple's interface has them; nothing here runs.
public import Observation

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

/// A view that has no body of other views.
public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
    public var body: Never { fatalError("A stub is not drawn.") }
}

extension Never: View {
    public var body: Never { fatalError("A stub is not drawn.") }
}

@resultBuilder
public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)> {
        TupleView((repeat each content))
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<First, Second> { .first(first) }
    public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<First, Second> { .second(second) }
}

public struct EmptyView: PrimitiveView {
    nonisolated public init() {}
}

public struct TupleView<Content>: PrimitiveView {
    nonisolated public init(_ content: Content) {}
}

public enum _ConditionalContent<First: View, Second: View>: PrimitiveView {
    case first(First)
    case second(Second)
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError("A stub is not drawn.") }
}

public struct Text: PrimitiveView {
    public init(_ text: some StringProtocol) {}
}

public struct Button<Label: View>: PrimitiveView {}

extension Button where Label == Text {
    public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {}
}

public struct TextField<Label: View>: PrimitiveView {}

extension TextField where Label == Text {
    public init(_ title: some StringProtocol, text: Binding<String>) {}
}

public struct Toggle<Label: View>: PrimitiveView {}

extension Toggle where Label == Text {
    public init(_ title: some StringProtocol, isOn: Binding<Bool>) {}
}

public struct VStack<Content: View>: PrimitiveView {
    public init(@ViewBuilder content: () -> Content) {}
}

extension View {
    nonisolated public func environment<Value: AnyObject & Observable>(_ object: Value?) -> some View { self }

    nonisolated public func sheet<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
    ) -> some View { self }
}

@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
    private let get: @isolated(any) @Sendable () -> Value
    private let set: @isolated(any) @Sendable (Value) -> Void

    @preconcurrency
    public init(
        get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) {
        self.get = get
        self.set = set
    }

    public var wrappedValue: Value {
        get { fatalError("A stub holds no value.") }
        nonmutating set { fatalError("A stub holds no value.") }
    }

    public var projectedValue: Binding<Value> { self }

    public subscript<Property>(dynamicMember keyPath: WritableKeyPath<Value, Property>) -> Binding<Property> {
        fatalError("A stub holds no value.")
    }
}

@propertyWrapper
public struct State<Value> {
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public let wrappedValue: Value
}

@propertyWrapper
public struct Environment<Value> {
    public init(_ objectType: Value.Type) where Value: AnyObject & Observable {}
    public var wrappedValue: Value { fatalError("A stub holds no value.") }
}
