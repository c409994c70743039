/// A change of a state, as the payload of an event: for forms in which a separate event for each field would say nothing.
///
/// ```swift
/// enum FormEvent: MutationEvent {
///     case mutation(Mutation<Form>)
///     case submit
/// }
///
/// func reduce(_ form: inout Form, _ event: FormEvent) {
///     switch event {
///     case .mutation(let mutation): mutation.apply(to: &form)
///     case .submit: form.isSent = true
///     }
/// }
/// ```
/// The reducer keeps the last word: it may look at the state after the change, or not apply it at all.
public struct Mutation<State>: MutationEvent, CustomStringConvertible {
    private let change: (inout State) -> Void

    /// Which property is set; `nil` if the change was given as a function.
    public let keyPath: PartialKeyPath<State>?

    /// Sets a property.
    public init<Value>(_ keyPath: WritableKeyPath<State, Value>, value: Value) {
        self.keyPath = keyPath
        change = { $0[keyPath: keyPath] = value }
    }

    /// Any change.
    public init(_ change: @escaping (inout State) -> Void) { (keyPath, self.change) = (nil, change) }

    /// Changes the state in place.
    public func apply(to state: inout State) { change(&state) }

    /// The property that is set, without the value, which somebody may have typed.
    public var description: String { keyPath.map { "\($0)" } ?? "a change" }

    /// Makes `Mutation` an event type by itself, for systems that have no other events.
    public static func mutation(_ mutation: Mutation) -> Mutation { mutation }
}

/// Events of which one kind changes properties of the state. An enum conforms by a case `mutation(Mutation<State>)`.
public protocol MutationEvent<State> {
    associatedtype State
    /// The event that makes this change.
    static func mutation(_ mutation: Mutation<State>) -> Self
}
