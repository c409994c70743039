public import LoopCore
public import TrackingEvents

/// Mappings to the events of a tracking plan.
///
/// They are disfavoured: a closure that may also return a `TrackingEvent` does. Write `return` in a mapping's `switch`, so that the
/// compiler points at the line with an event that the plan does not have.
extension Middleware {
    /// Tracks states: maps a state to a planned event and tracks the event when the state is entered.
    ///
    /// ```swift
    /// system.attach(.track(to: tracker) { state -> ShopEvent? in
    ///     switch state {
    ///     case .productLoaded(let product): return .productViewed(sku: product.sku)
    ///     default: return nil
    ///     }
    /// })
    /// ```
    /// What is entered, and when, is as for mappings to `TrackingEvent`.
    ///
    /// - Parameters:
    ///   - tracker: adds who and when.
    ///   - rule: ``StateTrackingRule/everyStep`` tracks a state at each step in it.
    ///   - system: the name of this loop on the line, if several share the tracker.
    ///   - event: maps a state to an event, `nil` for none. Pure: it is called for every step.
    @_disfavoredOverload @inlinable
    public static func track<Planned: PlannedEvent>(
        to tracker: Tracker, when rule: StateTrackingRule = .entered, system: String? = nil, _ event: @escaping (State) -> Planned?
    ) -> Middleware {
        track(to: tracker, when: rule, system: system) { state -> TrackingEvent? in event(state)?.trackingEvent }
    }

    /// Tracks states that map to several planned events: those of a state that the step before did not map to.
    @_disfavoredOverload @inlinable
    public static func track<Planned: PlannedEvent>(
        to tracker: Tracker, when rule: StateTrackingRule = .entered, system: String? = nil, _ events: @escaping (State) -> [Planned]
    ) -> Middleware {
        track(to: tracker, when: rule, system: system) { state -> TrackingEventList in .planned(events(state)) }
    }

    /// Tracks states that map to events of several plans.
    @_disfavoredOverload @inlinable
    public static func track(
        to tracker: Tracker, when rule: StateTrackingRule = .entered, system: String? = nil,
        _ event: @escaping (State) -> (any PlannedEvent)?
    ) -> Middleware {
        track(to: tracker, when: rule, system: system) { state -> TrackingEvent? in event(state)?.trackingEvent }
    }

    /// Tracks steps that map to a planned event. Nothing is suppressed: two taps are two events. Replayed steps are not tracked.
    ///
    /// - Parameters:
    ///   - tracker: adds who and when.
    ///   - system: the name of this loop on the line, if several share the tracker.
    ///   - needs: what `event` reads beside the event and the new state. The previous state costs copies of the state.
    ///   - event: maps a step to an event, `nil` for none. It gets steps of the phases `.initial` and `.loading`, too.
    @_disfavoredOverload @inlinable
    public static func trackSteps<Planned: PlannedEvent>(
        to tracker: Tracker, system: String? = nil, needs: MiddlewareNeeds = [.previousState],
        _ event: @escaping (Step<State, Event>) -> Planned?
    ) -> Middleware {
        trackSteps(to: tracker, system: system, needs: needs) { step -> TrackingEvent? in event(step)?.trackingEvent }
    }

    /// Tracks steps that map to several planned events, in order.
    @_disfavoredOverload @inlinable
    public static func trackSteps<Planned: PlannedEvent>(
        to tracker: Tracker, system: String? = nil, needs: MiddlewareNeeds = [.previousState],
        _ events: @escaping (Step<State, Event>) -> [Planned]
    ) -> Middleware {
        trackSteps(to: tracker, system: system, needs: needs) { step -> TrackingEventList in .planned(events(step)) }
    }

    /// Tracks steps that map to events of several plans.
    @_disfavoredOverload @inlinable
    public static func trackSteps(
        to tracker: Tracker, system: String? = nil, needs: MiddlewareNeeds = [.previousState],
        _ event: @escaping (Step<State, Event>) -> (any PlannedEvent)?
    ) -> Middleware {
        trackSteps(to: tracker, system: system, needs: needs) { step -> TrackingEvent? in event(step)?.trackingEvent }
    }

    /// Tracks the changes of one value that map to a planned event, whatever event of the loop brought them.
    ///
    /// - Parameters:
    ///   - value: its place in the state.
    ///   - tracker: adds who and when.
    ///   - system: the name of this loop on the line, if several share the tracker.
    ///   - event: maps a change from one value to another to an event, `nil` for none.
    @_disfavoredOverload @inlinable
    public static func trackChanges<Value: Equatable, Planned: PlannedEvent>(
        of value: KeyPath<State, Value>, to tracker: Tracker, system: String? = nil,
        _ event: @escaping (_ old: Value, _ new: Value) -> Planned?
    ) -> Middleware {
        trackChanges(of: value, to: tracker, system: system) { old, new -> TrackingEvent? in event(old, new)?.trackingEvent }
    }

    /// Tracks the changes of one value that map to several planned events, in order.
    @_disfavoredOverload @inlinable
    public static func trackChanges<Value: Equatable, Planned: PlannedEvent>(
        of value: KeyPath<State, Value>, to tracker: Tracker, system: String? = nil,
        _ events: @escaping (_ old: Value, _ new: Value) -> [Planned]
    ) -> Middleware {
        trackChanges(of: value, to: tracker, system: system) { old, new -> TrackingEventList in .planned(events(old, new)) }
    }

    /// Tracks the changes of one value that map to events of several plans.
    @_disfavoredOverload @inlinable
    public static func trackChanges<Value: Equatable>(
        of value: KeyPath<State, Value>, to tracker: Tracker, system: String? = nil,
        _ event: @escaping (_ old: Value, _ new: Value) -> (any PlannedEvent)?
    ) -> Middleware {
        trackChanges(of: value, to: tracker, system: system) { old, new -> TrackingEvent? in event(old, new)?.trackingEvent }
    }
}

extension Tracker {
    /// Stamps a planned event and hands it to every sink.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - system: the name of the loop it came from.
    @_disfavoredOverload @inlinable
    public func track(_ event: some PlannedEvent, system: String? = nil) { track(event.trackingEvent, system: system) }
}

extension TrackingEventList {
    /// A planned event in a list of others.
    @inlinable
    public static func planned(_ event: some PlannedEvent) -> TrackingEventList { TrackingEventList([event.trackingEvent]) }

    /// The planned events of an array.
    @inlinable
    public static func planned(_ events: [some PlannedEvent]) -> TrackingEventList { TrackingEventList(events.map(\.trackingEvent)) }
}
