/// When the middleware `.track(to:when:)` tracks the event of a state.
public enum StateTrackingRule: Sendable, Equatable {
    /// When the state is entered: an event equal to that of the step before is not tracked again.
    case entered
    /// At every step, whatever the step before was mapped to.
    case everyStep
}
