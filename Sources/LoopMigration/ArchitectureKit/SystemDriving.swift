public import LoopCore

/// An action of any payload, as a system that is to be driven by several sees it.
public protocol SystemDriving<Event> {
    associatedtype Event
    func connect<State>(to system: System<State, Event>)
}

extension UserAction: SystemDriving {}
