public import LoopCore
public import TrackingEvents

/// Analytics as one pure function from state to event, with no calls scattered in views.
extension Middleware {
    /// Tracks states: maps a state to an event and tracks the event when the state is entered.
    ///
    /// ```swift
    /// system.attach(.track(to: tracker) { state in
    ///     switch state {
    ///     case .productLoaded(let product): .event("product_loaded", ["sku": .string(product.sku)])
    ///     default: nil
    ///     }
    /// })
    /// ```
    /// Equal results in consecutive steps count once, and a `nil` in between ends that. The state at the time of attaching counts as entered.
    /// An event that fails or is cancelled leads back to the state before it, which is not entered again.
    /// Replayed steps are mapped but not tracked: what follows them is tracked if it differs from the last of them.
    ///
    /// - Parameters:
    ///   - tracker: adds who and when: a ``Tracker``, or the ``ScopedTracker`` of one request.
    ///   - rule: ``StateTrackingRule/everyStep`` tracks a state at each step in it.
    ///   - system: the name of this loop on the line, if several share the tracker.
    ///   - event: maps a state to an event, `nil` for none. Pure: it is called for every step. An event may name its user
    ///     (``/TrackingEvents/TrackingEvent/by(user:session:)``).
    @inlinable
    public static func track(
        to tracker: some EventTracker, when rule: StateTrackingRule = .entered, system: String? = nil,
        _ event: @escaping (State) -> TrackingEvent?
    ) -> Middleware {
        Middleware(makingHandler: { _ in
            var last: TrackingEvent?
            return { step in
                // A failure of an effect: the state has not changed.
                if step.phase == .effectFailed { return }
                let mapped = event(step.state)
                let isNew = rule == .everyStep || mapped != last && !step.isBack
                if let mapped, isNew, !step.isReplay { tracker.track(mapped, system: system) }
                last = mapped
            }
        })
    }

    /// Tracks states that map to several events: those of a state that the step before did not map to.
    ///
    /// ```swift
    /// system.attach(.track(to: tracker) { state in
    ///     switch state {
    ///     case .start: .event("pdp_shown")
    ///     case .ordered: [.event("order_placed"), .event("cart_emptied")]
    ///     default: nil
    ///     }
    /// })
    /// ```
    /// A function that returns no list gets the overload for single events.
    @inlinable
    @_disfavoredOverload
    public static func track(
        to tracker: some EventTracker, when rule: StateTrackingRule = .entered, system: String? = nil,
        _ events: @escaping (State) -> TrackingEventList
    ) -> Middleware {
        Middleware(makingHandler: { _ in
            var last: [TrackingEvent] = []
            return { step in
                if step.phase == .effectFailed { return }
                let mapped = events(step.state).events
                // A multiset difference: of two equal events after one, the second is new.
                var known = rule == .everyStep ? [] : last
                for event in mapped {
                    if let index = known.firstIndex(of: event) {
                        known.remove(at: index)
                    } else if !step.isReplay, rule == .everyStep || !step.isBack {
                        tracker.track(event, system: system)
                    }
                }
                last = mapped
            }
        })
    }

    /// Tracks states that map to events of a tracking plan: to one, to an array, or to `nil`.
    ///
    /// ```swift
    /// system.attach(.track(to: tracker) { state -> ShopEvent? in
    ///     switch state {
    ///     case .productLoaded(let product): return .productViewed(sku: product.sku)
    ///     default: return nil
    ///     }
    /// })
    /// ```
    /// Write `return`: the compiler then points at the line with an event that the plan does not have. A closure that may also return a
    /// `TrackingEvent` does.
    @_disfavoredOverload @inlinable
    public static func track<Events: TrackedEvents>(
        to tracker: some EventTracker, when rule: StateTrackingRule = .entered, system: String? = nil,
        _ events: @escaping (State) -> Events
    ) -> Middleware {
        track(to: tracker, when: rule, system: system) { state -> TrackingEventList in TrackingEventList(events(state).trackingEvents) }
    }
}

extension Step {
    /// Whether the state is the one before the event, because its work failed or was cancelled.
    @inlinable var isBack: Bool {
        switch outcome {
        case .failed, .cancelled: true
        case .finished, nil: false
        }
    }
}
