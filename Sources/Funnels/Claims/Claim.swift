/// What may be concluded of a difference between visits. Sentences are written from a claim alone, so that none says what its claim does
/// not.
package struct Claim: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case fell, rose, less, more
        /// No difference that this many visits could show.
        case none
        /// Of a trend: it stays as it is, or has too few days for more.
        case steady, unsettled
    }

    /// Why nothing is concluded.
    package enum Refusal: String, Sendable, Hashable {
        /// A side has no day that the data cover; where users are counted: days are missing, or the sides have different numbers of days.
        case coverage
        /// Too few days to distinguish a change from how days differ.
        case fewDays = "few_days"
        /// No day has both sides, or, of a group whose share of the visits changes, no user.
        case noOverlap = "no_overlap"
        /// With days held equal the difference has the other sign.
        case opposed
        case fewVisits = "few_visits"
        /// What is counted, or how it is grouped, allows no conclusion.
        case unit
    }

    /// What is held equal.
    package enum Adjustment: String, Sendable, Hashable {
        case weekday, day, user
        case eventsBefore = "events_before"
    }

    /// The fewest visits and users of either side, and the smallest difference of shares, of which anything is said.
    static let leastVisits = 30
    static let leastUsers = 20
    static let leastDifference = 0.005
    /// How many standard errors a difference has that would be seen 8 times in 10.
    static let seenEightInTen = 2.8

    package var kind = Kind.none
    /// Of shares, −1…1; `nil` where nothing could be compared.
    package var difference: Double?
    package var interval: ConfidenceInterval?
    package var pValue: Double?
    /// Corrected for how many were looked at; `nil` of a single question.
    package var qValue: Double?
    package var countsVisits = true
    package var adjustedFor: [Adjustment] = []
    package var refused: Refusal?
    /// The smallest difference that would be seen 8 times in 10.
    package var detectable: Double?
    /// How many visits the difference is about, or users where these are counted.
    package var visits = 0

    package var holds: Bool { ![.none, .steady, .unsettled].contains(kind) }

    /// How many visits more or fewer it makes: the larger, the more important.
    package var weight: Double { (difference ?? 0).magnitude * Double(visits) }

    package init(refused: Refusal? = nil, _ kind: Kind = .none, countsVisits: Bool = true) {
        (self.refused, self.kind, self.countsVisits) = (refused, kind, countsVisits)
    }

    init(_ estimate: Estimate, adjustedFor: [Adjustment], visits: Int, refused: Refusal? = nil) {
        (difference, self.adjustedFor, self.visits, self.refused) = (estimate.value, adjustedFor, visits, refused)
        // Too few visits may leave no error to be seen.
        if refused != nil && estimate.error == 0 { return }
        (interval, pValue, detectable) = (estimate.interval, estimate.pValue, Self.seenEightInTen * estimate.error)
    }

    /// Lets the claim hold if all guards do, and gives it its word.
    ///
    /// - Parameter crude: the difference without regard to what is held equal.
    mutating func conclude(_ probability: Double?, crude: Double?, less: Kind = .less, more: Kind = .more) {
        kind = .none
        guard refused == nil, let difference, let interval, let probability, probability <= FunnelResult.significance,
            difference.magnitude >= Self.leastDifference, interval.lower > 0 || interval.upper < 0
        else { return }
        if let crude, crude * difference <= 0 { refused = .opposed } else { kind = difference < 0 ? less : more }
    }
}

extension AdjustedDifference {
    /// Whether both sides have visits and users enough for a claim; else why none is made.
    var refused: Claim.Refusal? {
        [marked, others].allSatisfy { $0.visits >= Claim.leastVisits && $0.users >= Claim.leastUsers } ? nil : .fewVisits
    }
}
