public import LoopCore
public import TrackingEvents

/// Analytics from whole steps: from what happened, not from where it led.
extension Middleware {
    /// Tracks steps. Nothing is suppressed: two taps are two events. Replayed steps are not tracked.
    ///
    /// ```swift
    /// system.attach(.trackSteps(to: tracker) { step in
    ///     switch step.event {
    ///     case .tapped(let sku): .event("tapped", ["sku": .string(sku)])
    ///     default: nil
    ///     }
    /// })
    /// ```
    ///
    /// - Parameters:
    ///   - tracker: adds who and when: a ``Tracker``, or the ``ScopedTracker`` of one request.
    ///   - system: the name of this loop on the line, if several share the tracker.
    ///   - needs: what `event` reads beside the event and the new state. The previous state costs copies of the state.
    ///   - event: maps a step to an event, `nil` for none. It gets steps of the phases `.initial` and `.loading`, too.
    @inlinable
    public static func trackSteps(
        to tracker: some EventTracker, system: String? = nil, needs: MiddlewareNeeds = [.previousState],
        _ event: @escaping (Step<State, Event>) -> TrackingEvent?
    ) -> Middleware {
        Middleware(needs: needs) { step in
            if !step.isReplay, let mapped = event(step) { tracker.track(mapped, system: system) }
        }
    }

    /// Tracks steps that map to several events, in order.
    @inlinable
    @_disfavoredOverload
    public static func trackSteps(
        to tracker: some EventTracker, system: String? = nil, needs: MiddlewareNeeds = [.previousState],
        _ events: @escaping (Step<State, Event>) -> TrackingEventList
    ) -> Middleware {
        Middleware(needs: needs) { step in
            if step.isReplay { return }
            for mapped in events(step).events { tracker.track(mapped, system: system) }
        }
    }

    /// Tracks steps that map to events of a tracking plan: to one, to an array, or to `nil`.
    @inlinable
    @_disfavoredOverload
    public static func trackSteps<Events: TrackedEvents>(
        to tracker: some EventTracker, system: String? = nil, needs: MiddlewareNeeds = [.previousState],
        _ events: @escaping (Step<State, Event>) -> Events
    ) -> Middleware {
        trackSteps(to: tracker, system: system, needs: needs) { step -> TrackingEventList in
            TrackingEventList(events(step).trackingEvents)
        }
    }
}
