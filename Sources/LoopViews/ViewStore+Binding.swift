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
        let get: @MainActor () -> Value = { self[dynamicMember: keyPath] }
        let set: @MainActor (Value) -> Void = { self.send(event($0), fileID: fileID, line: line) }
        return ViewBinding(get: get, set: set)
    }
}
