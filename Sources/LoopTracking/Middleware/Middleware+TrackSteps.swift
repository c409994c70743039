public import LoopCore
public import TrackingEvents

extension Middleware {
    /// Tracks steps: what happened, not where it led. Nothing is suppressed: two taps are two events. Replayed steps are not tracked.
    ///
    /// ```swift
    /// system.attach(.trackSteps(to: tracker) { step in
    ///     switch step.event {
    ///     case .tapped(let sku): .event("tapped", ["sku": sku])
    ///     default: nil
    ///     }
    /// })
    /// ```
    ///
    /// - Parameters:
    ///   - tracker: adds who and when: a ``Tracker``, or the ``ScopedTracker`` of one request. The line has the name of the system, too.
    ///   - needs: what `events` reads beside the event and the new state. The previous state costs copies of the state.
    ///   - events: maps a step to an event, to an array, or to `nil`. It gets steps of the phases `.initial` and `.loading`, too.
    @inlinable
    public static func trackSteps(
        to tracker: some EventTracker, needs: MiddlewareNeeds = [.previousState],
        _ events: @escaping (Step<State, Event>) -> (any TrackedEvents)?
    ) -> Middleware {
        Middleware(
            needs: needs,
            makingHandler: { loop in
                { step in
                    guard !step.isReplay, let mapped = events(step) else { return }
                    for event in mapped.trackingEvents { tracker.track(event, system: loop.name) }
                }
            })
    }
}
