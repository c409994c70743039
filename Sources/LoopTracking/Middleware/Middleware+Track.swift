public import LoopCore
public import TrackingEvents

/// All analytics in one pure function from state to event, no calls scattered in views.
extension Middleware {
    /// Tracks states: what a state means to the product is told when it is entered.
    ///
    /// ```swift
    /// .attach(.track(to: tracker) { state in
    ///     switch state {
    ///     case .productLoaded(let product): .event("product_loaded", ["sku": .string(product.sku)])
    ///     case .loading: nil
    ///     }
    /// })
    /// ```
    /// Equal results in consecutive steps count once, and a `nil` in between ends that. The state at the time of attaching counts as entered.
    /// Steps that are replayed are not told, but looked at: what follows them is told if it differs from the last of them.
    ///
    /// - Parameters:
    ///   - tracker: says who and when.
    ///   - rule: ``StateTrackingRule/everyStep`` tells a state at each step in which the loop is in it.
    ///   - system: the name of this loop on the line, if several share the tracker.
    ///   - event: what a state means to the product, `nil` for nothing. Pure: it is called for every step.
    public static func track(
        to tracker: Tracker, when rule: StateTrackingRule = .entered, system: String? = nil, _ event: @escaping (State) -> TrackingEvent?
    ) -> Middleware {
        Middleware(makingHandler: {
            var last: TrackingEvent?
            return { step in
                // The state is what it was, and has been told.
                if step.phase == .effectFailed { return }
                let mapped = event(step.state)
                if let mapped, !step.isReplay, rule == .everyStep || mapped != last { tracker.track(mapped, system: system) }
                last = mapped
            }
        })
    }

    /// The same for states that mean several things: of the events of a state, those are told that the step before was not mapped to.
    ///
    /// ```swift
    /// .attach(.track(to: tracker) { state in
    ///     switch state {
    ///     case .loading: nil
    ///     case .start: .event("pdp_shown")
    ///     case .ordered: [.event("order_placed"), .event("cart_emptied")]
    ///     }
    /// })
    /// ```
    /// Where the function returns no list, the one for single events is taken.
    @_disfavoredOverload
    public static func track(
        to tracker: Tracker, when rule: StateTrackingRule = .entered, system: String? = nil,
        _ events: @escaping (State) -> TrackingEventList
    ) -> Middleware {
        Middleware(makingHandler: {
            var last: [TrackingEvent] = []
            return { step in
                if step.phase == .effectFailed { return }
                let mapped = events(step.state).events
                // Each event of the last step silences one: of two equal ones after a single one, the second is new.
                var known = rule == .everyStep ? [] : last
                for event in mapped {
                    if let place = known.firstIndex(of: event) {
                        known.remove(at: place)
                    } else if !step.isReplay {
                        tracker.track(event, system: system)
                    }
                }
                last = mapped
            }
        })
    }
}
