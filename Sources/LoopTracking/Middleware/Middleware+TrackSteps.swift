public import LoopCore
public import TrackingEvents

/// Analytics from whole steps: what happened and not where it led.
extension Middleware {
    /// Tracks steps. Nothing is suppressed: two taps are two events. Steps that are replayed are nobody's taps.
    ///
    /// ```swift
    /// .attach(.trackSteps(to: tracker) { step in
    ///     switch step.event {
    ///     case .tapped(let sku): .event("tapped", ["sku": .string(sku)])
    ///     default: nil
    ///     }
    /// })
    /// ```
    ///
    /// - Parameters:
    ///   - tracker: says who and when.
    ///   - system: the name of this loop on the line, if several share the tracker.
    ///   - needs: what `event` looks at beside the event and the new state. The previous state has its price.
    ///   - event: what a step means to the product, `nil` for nothing. Steps of the phases `.initial` and `.loading` come, too.
    public static func trackSteps(
        to tracker: Tracker, system: String? = nil, needs: MiddlewareNeeds = [.previousState],
        _ event: @escaping (Step<State, Event>) -> TrackingEvent?
    ) -> Middleware {
        Middleware(needs: needs) { step in
            if !step.isReplay, let mapped = event(step) { tracker.track(mapped, system: system) }
        }
    }

    /// The same for steps that mean several things: all of them are told, in order.
    @_disfavoredOverload
    public static func trackSteps(
        to tracker: Tracker, system: String? = nil, needs: MiddlewareNeeds = [.previousState],
        _ events: @escaping (Step<State, Event>) -> TrackingEventList
    ) -> Middleware {
        Middleware(needs: needs) { step in
            if step.isReplay { return }
            for mapped in events(step).events { tracker.track(mapped, system: system) }
        }
    }
}
