import LoopCore
public import LoopFlux

/// Mini's service: sees each action after the handlers. In LoopFlux that is middleware attached to the dispatcher.
///
/// ```swift
/// dispatcher.register(Service { action, isReduced in log(isReduced ? "\(action)" : "\(action) was swallowed") })
/// ```
/// It sees the action that the handlers received, after all `DispatchMiddleware`. (Mini hands it the action that was dispatched.) Actions
/// that it dispatches are delivered after the current one. Services are called in the order of registering.
public struct Service {
    let middleware: Middleware<Void, any Action>

    /// - Parameter perform: called on the dispatcher's isolation, with the action that the handlers received (`true`) or one swallowed.
    public init(_ perform: @escaping (_ action: any Action, _ isReduced: Bool) -> Void) {
        middleware = Middleware { step in if let action = step.event { perform(action, step.outcome?.isFinished ?? false) } }
    }
}

extension Dispatcher {
    /// Mini's mode. Its `.async` has no counterpart here.
    public enum Mode { case sync }

    public func dispatch(
        _ action: any Action, mode: Mode, isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID, line: UInt = #line
    ) { dispatch(action, isolation: isolation, fileID: fileID, line: line) }

    /// Adds a service behind the others.
    public func register(_ service: Service) { attach(service.middleware) }

    /// Removes a service, if it is registered. It is not called again, not even for the action that is under way.
    public func unregister(_ service: Service) { detach(service.middleware) }
}
