/// What takes events: a system, or a way to one. Not a closure: a closure with an isolated parameter may capture only what is `Sendable`.
protocol EventTarget<Event>: AnyObject {
    associatedtype Event
    func accept(_ event: Event, origin: SendOrigin, isolation: isolated any Actor)
    func enter(_ isolation: isolated any Actor)
    /// Notes that the system begins when a view first looks at it, which may never happen.
    func startsLater()
}

extension System: EventTarget { func startsLater() { mayNeverStart = true } }

/// Turns events into those that another target takes, and keeps that target alive.
final class MappedTarget<Event, Mapped>: EventTarget {
    private let target: any EventTarget<Mapped>
    private let transform: (Event) -> Mapped

    init(_ target: any EventTarget<Mapped>, _ transform: @escaping (Event) -> Mapped) {
        (self.target, self.transform) = (target, transform)
    }

    func accept(_ event: Event, origin: SendOrigin, isolation: isolated any Actor) {
        target.accept(transform(event), origin: origin, isolation: isolation)
    }

    func enter(_ isolation: isolated any Actor) { target.enter(isolation) }

    func startsLater() { target.startsLater() }
}
