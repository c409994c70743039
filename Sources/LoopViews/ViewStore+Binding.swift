public import LoopCore

#if canImport(SwiftUI)
public import SwiftUI
#endif

extension ViewStore {
    /// A property for a control: it shows the state's value and sends an event for each value that is written.
    ///
    /// The state changes only as the reducer says, so a control may read something else than it wrote.
    /// ```swift
    /// TextField("Name", text: form.binding(for: \.name, event: Form.Event.nameChanged))
    /// ```
    public func binding<Value>(
        for keyPath: KeyPath<State, Value>, event: @escaping (Value) -> Event, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ViewBinding<Value> {
        binding(showing: keyPath, set: { self.send(event($0), fileID: fileID, line: line) })
    }

    /// A property for a control that sends one and the same event, whatever is written: for toggles, sheets and alerts.
    public func binding<Value>(
        for keyPath: KeyPath<State, Value>, event: Event, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ViewBinding<Value> {
        binding(showing: keyPath, set: { _ in self.send(event, fileID: fileID, line: line) })
    }

    private func binding<Value>(showing keyPath: KeyPath<State, Value>, set: @escaping @MainActor (Value) -> Void) -> ViewBinding<Value> {
        let get: @MainActor () -> Value = { self[dynamicMember: keyPath] }
        return ViewBinding(get: get, set: set)
    }
}

extension ViewStore where Event: MutationEvent, Event.State == State {
    /// Sets a property of the state through an event, as every change is made.
    ///
    /// ```swift
    /// form.mutate(keyPath: \.name, value: "Ada")
    /// ```
    public func mutate<Value>(keyPath: WritableKeyPath<State, Value>, value: Value, fileID: StaticString = #fileID, line: UInt = #line) {
        send(.mutation(Mutation(keyPath, value: value)), fileID: fileID, line: line)
    }

    /// A property for a control that sets it by a mutation.
    public func binding<Value>(
        for keyPath: WritableKeyPath<State, Value>, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ViewBinding<Value> {
        binding(showing: keyPath, set: { self.mutate(keyPath: keyPath, value: $0, fileID: fileID, line: line) })
    }
}
