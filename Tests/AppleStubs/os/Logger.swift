public struct OSLogType: Sendable, Equatable {
    public static let debug = OSLogType()
    public static let info = OSLogType()
    public static let `default` = OSLogType()
    public static let error = OSLogType()
    public static let fault = OSLogType()
}

public struct OSLogMessage: ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) {}
    public init(stringInterpolation: OSLogInterpolation) {}
}

public struct Logger: @unchecked Sendable {
    public init(subsystem: String, category: String) {}
    public func log(level: OSLogType, _ message: OSLogMessage) {}
}
