#if canImport(os)
public import os

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension LogOutput {
    /// A logger of Apple's unified logging: Console, `log stream`, Xcode.
    ///
    /// The line is public there; what must not be seen is masked before it gets here (``LogSensitive``). `trace` and `debug` are the
    /// system's debug level, `notice` and `warning` its default, `critical` is a fault. The system cuts a message at about 1,000 bytes.
    public static func osLogger(_ logger: os.Logger) -> LogOutput {
        LogOutput { line, level in logger.log(level: level.ofUnifiedLogging, "\(line, privacy: .public)") }
    }
}

extension LogLevel {
    fileprivate var ofUnifiedLogging: OSLogType {
        switch self {
        case .trace, .debug: .debug
        case .info: .info
        case .notice, .warning: .default
        case .error: .error
        case .critical: .fault
        }
    }
}
#endif
