/// How much a line matters: the levels of swift-log.
public enum LogLevel: Sendable, Hashable, Comparable, CaseIterable {
    case trace, debug, info, notice, warning, error, critical

    /// The level's name, such as `warning`. `String(describing:)` says the same, but reflects each time.
    var word: String {
        switch self {
        case .trace: "trace"
        case .debug: "debug"
        case .info: "info"
        case .notice: "notice"
        case .warning: "warning"
        case .error: "error"
        case .critical: "critical"
        }
    }
}
