// A watch has UIKit without controls.
#if canImport(UIKit) && !os(watchOS)
public import UIKit

/// Every control conforms. It is a protocol, because only a protocol's method has the control's own class as `Self`.
@MainActor
public protocol ActionExecuting: UIControl {}

extension UIControl: ActionExecuting {}

extension ActionExecuting {
    /// Executes a user action whenever the control is used.
    ///
    /// ```swift
    /// button.execute(increment)
    /// ```
    /// The control keeps the action alive, and the action its systems; neither keeps the control.
    ///
    /// - Parameters:
    ///   - action: sends its event to each system it is connected to.
    ///   - events: the control's events at which the action is executed.
    /// - Returns: the action to give to `removeAction(_:for:)`.
    @discardableResult
    public func execute<SystemEvent>(
        _ action: UserAction<Void, SystemEvent>, on events: UIControl.Event = .primaryActionTriggered,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> UIAction { execute(action, on: events, fileID: fileID, line: line) { _ in } }

    /// Executes a user action with a payload that is read from the control, whenever the control is used.
    ///
    /// ```swift
    /// field.execute(rename, on: .editingChanged) { $0.text ?? "" }
    /// ```
    @discardableResult
    public func execute<Payload, SystemEvent>(
        _ action: UserAction<Payload, SystemEvent>, on events: UIControl.Event = .primaryActionTriggered,
        fileID: StaticString = #fileID, line: UInt = #line, payload: @escaping @MainActor (Self) -> Payload
    ) -> UIAction {
        // Weak: the control keeps this closure.
        let executing = UIAction { [weak self] _ in
            if let self { action.execute(payload(self), isolation: MainActor.shared, fileID: fileID, line: line) }
        }
        addAction(executing, for: events)
        return executing
    }
}
#endif
