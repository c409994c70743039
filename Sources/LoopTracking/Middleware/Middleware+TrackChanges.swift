public import LoopCore
public import TrackingEvents

/// Analytics from one value inside the state.
extension Middleware {
    /// Tracks the changes of one value, whatever event brought them.
    ///
    /// ```swift
    /// system.attach(.trackChanges(of: \.plan, to: tracker) { old, new in
    ///     .event("plan_changed", ["from": .string(old.name), "to": .string(new.name)])
    /// })
    /// ```
    /// The value at the time of attaching is no change, and replays are not tracked. Only this value is kept from step to step, not the state.
    ///
    /// - Parameters:
    ///   - value: its key path in the state.
    ///   - tracker: adds who and when: a ``Tracker``, or the ``ScopedTracker`` of one request.
    ///   - system: the name of this loop on the line, if several share the tracker.
    ///   - event: maps a change from one value to another to an event, `nil` for none.
    public static func trackChanges<Value: Equatable>(
        of value: KeyPath<State, Value>, to tracker: some EventTracker, system: String? = nil,
        _ event: @escaping (_ old: Value, _ new: Value) -> TrackingEvent?
    ) -> Middleware {
        following(value) { old, new in
            if let mapped = event(old, new) { tracker.track(mapped, system: system) }
        }
    }

    /// Tracks the changes of one value that map to several events, in order.
    @_disfavoredOverload
    public static func trackChanges<Value: Equatable>(
        of value: KeyPath<State, Value>, to tracker: some EventTracker, system: String? = nil,
        _ events: @escaping (_ old: Value, _ new: Value) -> TrackingEventList
    ) -> Middleware {
        following(value) { old, new in
            for mapped in events(old, new).events { tracker.track(mapped, system: system) }
        }
    }

    /// Tracks the changes of one value that map to events of a tracking plan: to one, to an array, or to `nil`.
    @_disfavoredOverload
    public static func trackChanges<Value: Equatable, Events: TrackedEvents>(
        of value: KeyPath<State, Value>, to tracker: some EventTracker, system: String? = nil,
        _ events: @escaping (_ old: Value, _ new: Value) -> Events
    ) -> Middleware {
        following(value) { old, new in
            for mapped in events(old, new).trackingEvents { tracker.track(mapped, system: system) }
        }
    }

    private static func following<Value: Equatable>(
        _ value: KeyPath<State, Value>, _ changed: @escaping (_ old: Value, _ new: Value) -> Void
    ) -> Middleware {
        Middleware(makingHandler: { _ in
            var last: Value?
            return { step in
                let new = step.state[keyPath: value]
                let old = last
                if old == new { return }
                last = new
                if let old, !step.isReplay { changed(old, new) }
            }
        })
    }
}
