public import LoopViews

#if canImport(SwiftUI)
public import SwiftUI
#endif

/// CombineFeedback's shorthands.
extension ViewStore {
    /// A function for a button to call: it sends the event each time.
    public func action(for event: Event, fileID: StaticString = #fileID, line: UInt = #line) -> @MainActor () -> Void {
        { self.send(event, fileID: fileID, line: line) }
    }

    /// A property for a control that sends one and the same event, whatever is written: for toggles, sheets and alerts.
    public func binding<Value>(
        for keyPath: KeyPath<State, Value>, event: Event, fileID: StaticString = #fileID, line: UInt = #line
    ) -> ViewBinding<Value> { binding(for: keyPath, event: { _ in event }, fileID: fileID, line: line) }
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
    ) -> ViewBinding<Value> { binding(for: keyPath, event: { .mutation(Mutation(keyPath, value: $0)) }, fileID: fileID, line: line) }
}
