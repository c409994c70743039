/// When the middleware `.track(to:when:)` tells what a state is mapped to.
public enum StateTrackingRule: Sendable, Equatable {
    /// When the state is entered: an event that the step before was mapped to, too, is not told again.
    case entered
    /// At every step, whatever the step before was mapped to.
    case everyStep
}
