/// A funnel as a file holds it: the words of the command line's flags as JSON.
///
/// ```json
/// {"name": "Checkout", "steps": "product_viewed > cart_added > paid", "window": "1h", "by": "user",
///  "exclude": ["!cart_cleared@2-3"], "breakdown": "props.plan:last", "top": 5}
/// ```
/// Also `step-window`, `session-timeout`, `order`, `hold`, `count`, `identify` (true or false), `compat`, `since` and `until`. A key that
/// is missing or `null` has its default.
public struct SavedFunnel: Sendable, Hashable {
    public var name: String?
    public var steps: [FunnelStep]
    /// In milliseconds.
    public var window = FunnelDefinition.defaultWindowMilliseconds
    public var stepWindow: Int64?
    public var key = FunnelKey.user
    public var order = FunnelDefinition.Order.ordered
    public var hold: [String]?
    /// `nil` where the file does not say: each question has a default of its own.
    public var counting: FunnelDefinition.Counting?
    /// In milliseconds.
    public var sessionTimeout = FunnelDefinition.defaultSessionTimeoutMilliseconds
    public var exclusions: [FunnelExclusion] = []
    public var breakdown: FunnelBreakdown?
    public var identify = true
    public var compat: FunnelCompat?
    /// As written: the caller decides what `now-7d` or a date without an offset means.
    public var since: String?
    public var until: String?

    public init(name: String? = nil, steps: [FunnelStep]) { (self.name, self.steps) = (name, steps) }

    /// The funnels of a file: one object, or an array of at least one.
    ///
    /// - Parameter bytes: the whole file.
    /// - Throws: ``SavedFunnelError`` with the line and column of the first thing that is wrong.
    public static func all(_ bytes: [UInt8]) throws(SavedFunnelError) -> [SavedFunnel] { try SavedFunnelReader(bytes).all().map(\.funnel) }

    /// The definition, for starts from `since` on and before `until`, both in milliseconds since 1970 UTC.
    ///
    /// - Throws: ``FunnelDefinitionError`` for settings that do not go together.
    public func definition(since: Int64? = nil, until: Int64? = nil) throws(FunnelDefinitionError) -> FunnelDefinition {
        var definition = try FunnelDefinition(
            name: name, steps: steps, windowMilliseconds: window, stepWindowMilliseconds: stepWindow, key: key, order: order,
            hold: hold, counting: counting ?? .users, exclusions: exclusions, breakdown: breakdown, since: since, until: until,
            identify: identify, compat: compat)
        definition.sessionTimeoutMilliseconds = sessionTimeout
        return definition
    }
}

/// A saved funnel, where it begins, and its parts as the file spells them. Columns in messages count in these texts.
public struct WrittenFunnel: Sendable, Hashable {
    public let funnel: SavedFunnel
    public let steps: String
    /// One for each exclusion. Empty if it is not known how they were written; ``breakdown`` is `nil` then.
    public var exclusions: [String] = []
    public var breakdown: String?
    /// The line on which it begins, 1 for the first.
    public var line = 1

    /// The funnels of a file, as ``SavedFunnel/all(_:)`` reads them.
    public static func all(_ bytes: [UInt8]) throws(SavedFunnelError) -> [WrittenFunnel] { try SavedFunnelReader(bytes).all() }
}
