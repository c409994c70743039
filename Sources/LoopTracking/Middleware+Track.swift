public import LoopCore
public import TrackingEvents

extension Middleware {
    /// All analytics in one pure function from state to event, no calls scattered in views.
    ///
    /// ```swift
    /// .attach(.track(to: tracker) { state in
    ///     switch state {
    ///     case .productLoaded(let product): .event("product_loaded", ["sku": .string(product.sku)])
    ///     case .loading: nil
    ///     }
    /// })
    /// ```
    /// A state is told when it is entered: equal results in consecutive steps count once, and a `nil` in between ends that. The
    /// state at the time of attaching counts as entered.
    ///
    /// - Parameters:
    ///   - tracker: says who and when.
    ///   - system: the name of this loop on the line, if several share the tracker.
    ///   - event: what a state means to the product, `nil` for nothing. Pure: it is called for every step.
    public static func track(
        to tracker: Tracker, system: String? = nil, _ event: @escaping (State) -> TrackingEvent?
    ) -> Middleware {
        Middleware(makingHandler: {
            var last: TrackingEvent?
            return { step in
                // The state is what it was, and has been told.
                if step.phase == .effect { return }
                let mapped = event(step.state)
                if let mapped, mapped != last { tracker.track(mapped, system: system) }
                last = mapped
            }
        })
    }

    /// The same from whole steps: what happened and not where it led. Nothing is suppressed: two taps are two events.
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
            if let mapped = event(step) { tracker.track(mapped, system: system) }
        }
    }
}
