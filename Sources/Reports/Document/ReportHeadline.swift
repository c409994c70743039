import Funnels

/// One result in one line, for the first screen of a page: how many of how many, and against what.
public struct ReportHeadline: Sendable, Hashable {
    /// How many did it, of how many.
    public let count: Int
    public let total: Int
    /// By how much the share differs from the one that it is compared with, -1…1; `nil` where it is compared with nothing.
    public let difference: Double?
    /// Whether a claim says that there is a difference.
    public let differenceHolds: Bool

    /// - Parameters:
    ///   - other: what the share is compared with: how many of how many.
    ///   - holds: whether a claim says that there is a difference.
    public init(count: Int, total: Int, other: (count: Int, total: Int)? = nil, holds: Bool = false) {
        self.count = count
        self.total = total
        difference = other.flatMap { ShareDifference(Share(count, of: total), Share($0.count, of: $0.total)) }?.value
        differenceHolds = holds
    }

    /// The share, 0…1; `nil` for a share of nothing.
    var share: Double? { total == 0 ? nil : Double(count) / Double(total) }

    /// `34.0 – 35.4%`, Wilson's interval at a confidence of 95 %; `nil` for a share of nothing.
    var interval: String? { Share(count, of: total).interval?.shareText(dash: " – ") }
}
