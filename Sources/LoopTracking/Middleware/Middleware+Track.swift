public import LoopCore
public import TrackingEvents

extension Middleware {
    /// Tracks states: maps each state to events, and tracks those that the step before did not give.
    ///
    /// ```swift
    /// system.attach(.track(to: tracker) { state in
    ///     switch state {
    ///     case .productLoaded(let product): .event("product_loaded", ["sku": product.sku])
    ///     case .ordered: [.event("order_placed"), .event("cart_emptied")]
    ///     default: nil
    ///     }
    /// })
    /// ```
    /// Equal results in consecutive steps count once; after a `nil` in between they count again. The state at the time of attaching counts
    /// as entered. An event that fails or is cancelled leads back to the state before it, which is not entered again. Replayed steps are
    /// mapped but not tracked: the first step after them is tracked if it differs from the last of them.
    ///
    /// With a tracking plan, write the mapping as ``/TrackingEvents/PlannedEvent`` shows it.
    ///
    /// - Parameters:
    ///   - tracker: adds who and when: a ``Tracker``, or the ``ScopedTracker`` of one request. The line has the name of the system, too.
    ///   - events: maps a state to an event, to an array, or to `nil`. Pure: it is called for every step. An event may name its user
    ///     (``/TrackingEvents/TrackingEvent/by(user:session:)``).
    @inlinable
    public static func track(to tracker: some EventTracker, _ events: @escaping (State) -> (any TrackedEvents)?) -> Middleware {
        Middleware(makingHandler: { loop in
            var last: [TrackingEvent] = []
            return { step in
                // A failure of an effect: the state has not changed.
                if step.phase == .effectFailed { return }
                let mapped = events(step.state)?.trackingEvents ?? []
                // A multiset difference: of two equal events after one, the second is new.
                var known = last
                for event in mapped {
                    if let index = known.firstIndex(of: event) {
                        known.remove(at: index)
                    } else if !step.isReplay, step.outcome?.isFinished != false {
                        // Where work failed or was cancelled, the state is the one before the event: nothing was entered.
                        tracker.track(event, system: loop.name)
                    }
                }
                last = mapped
            }
        })
    }

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
        Middleware(needs: needs) { loop in
            { step in
                guard !step.isReplay, let mapped = events(step) else { return }
                for event in mapped.trackingEvents { tracker.track(event, system: loop.name) }
            }
        }
    }
}
