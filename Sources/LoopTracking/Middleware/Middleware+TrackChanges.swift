public import LoopCore
public import TrackingEvents

extension Middleware {
    /// Tracks the changes of one value, whatever event brought them.
    ///
    /// ```swift
    /// system.attach(.trackChanges(to: tracker, of: \.plan) { old, new in
    ///     .event("plan_changed", ["from": old.name, "to": new.name])
    /// })
    /// ```
    /// The value at the time of attaching is no change, and replays are not tracked. Only this value is kept between steps, not the state.
    ///
    /// - Parameters:
    ///   - tracker: adds who and when: a ``Tracker``, or the ``ScopedTracker`` of one request. The line has the name of the system, too.
    ///   - value: its key path in the state.
    ///   - events: maps a change from one value to another to an event, to an array, or to `nil`.
    public static func trackChanges<Value: Equatable>(
        to tracker: some EventTracker, of value: KeyPath<State, Value>,
        _ events: @escaping (_ old: Value, _ new: Value) -> (any TrackedEvents)?
    ) -> Middleware {
        Middleware(makingHandler: { loop in
            // Not by `==` alone: a value with a NaN in it never equals itself.
            let isSame = Sameness.comparison(of: Value.self)
            var last: Value?
            return { step in
                let (old, new) = (last, step.state[keyPath: value])
                if let old, isSame(old, new) { return }
                last = new
                guard let old, !step.isReplay, let mapped = events(old, new) else { return }
                for event in mapped.trackingEvents { tracker.track(event, system: loop.name) }
            }
        })
    }
}
