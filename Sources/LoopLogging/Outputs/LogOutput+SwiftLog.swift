#if SwiftLog
public import Logging

extension LogOutput {
    /// A logger of [swift-log](https://github.com/apple/swift-log). Only there with the package trait `SwiftLog`.
    ///
    /// ```swift
    /// system.attach(.log(LogOptions(.changes, levels: levels), to: .logger(Logger(label: "shop"))))
    /// ```
    /// Each line is a message of its level; below the logger's own level nothing is formatted. For a program that sends its logs
    /// on, ``LogFormat/json`` says most. The metadata has the name of the system as `system`, where it has one.
    ///
    /// - Parameter logger: used as it is now; what the caller changes in a copy later has no effect.
    public static func logger(_ logger: Logger) -> LogOutput {
        LogOutput(isWanted: { logger.logLevel <= $0.ofSwiftLog }) { line, level, system in
            logger.log(level: level.ofSwiftLog, "\(line)", metadata: system.map { ["system": .string($0)] }, source: "LoopLogging")
        }
    }
}

extension LogLevel {
    /// The levels have the same names.
    fileprivate var ofSwiftLog: Logger.Level { Logger.Level(rawValue: word) ?? .critical }
}
#endif
