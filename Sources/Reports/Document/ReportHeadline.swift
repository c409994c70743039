import Funnels

/// One result in one line, for the first screen of a page: how many of how many, and against what.
public struct ReportHeadline: Sendable, Hashable {
    let share: Share
    /// By how much the share differs from the one that it is compared with, -1…1; `nil` where it is compared with nothing.
    public internal(set) var difference: Double?
    /// Whether a claim says that there is a difference.
    public internal(set) var differenceHolds = false

    /// How many did it, of how many.
    public var count: Int { share.count }
    public var total: Int { share.total }
}
