public import LoopCore

/// Something a person can do, made once and executed by a view: it sends its event to every system it is connected to.
///
/// ```swift
/// let increment = UserAction<Void, Counter.Event>(trigger: .increment)
/// let rename = UserAction<String, Counter.Event>(trigger: Counter.Event.rename)
/// let system = System(initialState: Counter.State(), next: Counter.reduce)
/// increment.connect(to: system)
/// rename.connect(to: system)
/// increment.execute()
/// rename.execute("Clicks")
/// ```
/// **Life.** An action keeps its systems alive, so that a screen may hold nothing but its actions; a system keeps no action.
///
/// It lives on the isolation of its systems.
public final class UserAction<Payload, Event>: SystemDriving {
    private let event: (Payload) -> Event
    private var targets: [Scope<Void, Payload>] = []

    /// - Parameter event: makes the event from what the person chose or typed.
    public init(trigger event: @escaping (Payload) -> Event) { self.event = event }

    /// Lets the action drive a system, after those it drives already.
    public func connect<State>(to system: System<State, Event>) { connect(to: system, as: event) }

    /// Lets the action drive a system with events of another type, after those it drives already.
    public func connect<State, Other>(to system: System<State, Other>, as event: @escaping (Payload) -> Other) {
        targets.append(system.scope(state: { _ in }, event: event))
    }

    /// Sends the event to each system, in the order in which they were connected.
    public func execute(
        _ payload: Payload, isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID, line: UInt = #line
    ) { for target in targets { target.send(payload, isolation: isolation, fileID: fileID, line: line) } }
}

extension UserAction where Payload == Void {
    /// An action that always sends this event.
    @_disfavoredOverload
    public convenience init(trigger event: Event) { self.init { _ in event } }

    public func execute(isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID, line: UInt = #line) {
        execute((), isolation: isolation, fileID: fileID, line: line)
    }
}

/// An action of any payload, for a list of actions that are to drive one system.
public protocol SystemDriving<Event> {
    associatedtype Event
    func connect<State>(to system: System<State, Event>)
}
