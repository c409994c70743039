/// What may be concluded from a difference between two sets of visits, or of users. Sentences are written from the claim alone.
package struct Claim: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case fell, rose, less, more
        /// No difference that so many visits can show; also where a claim is refused.
        case none
        /// Of a trend: `steady` where it stays as it is, `unsettled` where it has too few days for a verdict.
        case steady, unsettled
    }

    /// Why nothing is concluded.
    package enum Refusal: String, Sendable, Hashable {
        /// Of visits: a side has no whole day of its own that the data cover. Of users: days are missing, the sides have different numbers
        /// of days, or they overlap. Of a mark: its day has no visit, is not wholly covered, or has open windows.
        case coverage
        /// Too few days to distinguish a change from how days differ.
        case fewDays = "few_days"
        /// No day has visits of both sides, or, where users are held equal, too, no user has.
        case noOverlap = "no_overlap"
        /// With nothing held equal the difference has the other sign or is 0; or, if users are held equal, is less than a third as large.
        case opposed
        case fewVisits = "few_visits"
        /// The error is unknown, or too large: one user has many visits, or hardly anybody differs. In JSON it is `few_visits`.
        case fewUsers = "few_users"
        /// Users are held equal, and fewer than 20 have visits on both sides. In JSON it is `few_visits`.
        case fewOfBoth = "few_of_both"
        /// What is counted, or how it is grouped, allows no conclusion.
        case unit
    }

    /// What a comparison holds equal on both sides.
    package enum Adjustment: String, Sendable, Hashable {
        case weekday, day, user
        case eventsBefore = "events_before"
    }

    /// The fewest visits and users on each side, and the smallest difference of shares, for which anything is claimed.
    static let leastVisits = 30
    static let leastUsers = 20
    /// How many visits on each side of a comparison or a group must be expected to convert, and how many not to. A side of which none does
    /// shows no error of its own: 0 of 40 would differ surely from 0.5 % of 5,000.
    static let leastExpected = 5.0
    package static let leastDifference = 0.005

    package var kind = Kind.none
    /// The difference between two shares, −1…1; `nil` where nothing could be compared, or its error is not known.
    package var difference: Double?
    package var interval: ConfidenceInterval?
    package var pValue: Double?
    /// The p-value corrected for the number of questions asked at once; `nil` for a single question.
    package var qValue: Double?
    package var countsVisits = true
    package var adjustedFor: [Adjustment] = []
    package var refused: Refusal?
    /// The smallest difference that would be seen 8 times in 10.
    package var detectable: Double?
    /// How many visits the difference is about, or users where these are counted.
    package var visits = 0

    package var holds: Bool { ![.none, .steady, .unsettled].contains(kind) }

    /// Whether a group's difference is sure, but said of another group: of the only other one, or of one that makes this one differ.
    package var isSaidElsewhere: Bool {
        var sure = self
        sure.conclude(qValue ?? pValue, crude: nil)
        return kind == .none && sure.holds
    }

    /// How many conversions more or fewer the difference makes: the larger, the more important.
    package var weight: Double { (difference ?? 0).magnitude * Double(visits) }

    package init(refused: Refusal? = nil, _ kind: Kind = .none, countsVisits: Bool = true) {
        (self.refused, self.kind, self.countsVisits) = (refused, kind, countsVisits)
    }

    init(_ estimate: Estimate, adjustedFor: [Adjustment], visits: Int, refused: Refusal? = nil) {
        (self.adjustedFor, self.visits) = (adjustedFor, visits)
        self.refused = refused ?? (estimate.isKnown ? nil : .fewUsers)
        // With too few visits the standard error may be 0, which would look like certainty.
        if !estimate.isKnown || refused == .fewUsers || refused == .fewOfBoth || refused != nil && estimate.error == 0 { return }
        (difference, interval, pValue, detectable) = (estimate.value, estimate.interval(), estimate.pValue, estimate.detectable())
    }

    /// Sets ``kind`` to `less` or `more` if all conditions of a claim are met, else to `none`. Refused for `lack` where none could be seen.
    ///
    /// - Parameter crude: the difference with nothing held equal, which may refuse the claim.
    mutating func conclude(_ probability: Double?, crude: Double?, less: Kind = .less, more: Kind = .more, lack: Refusal = .fewUsers) {
        kind = .none
        guard refused == nil, let difference, let interval, let probability, probability <= FunnelResult.significance,
            difference.magnitude >= Self.leastDifference, interval.lower > 0 || interval.upper < 0
        else {
            if refused == nil, detectable ?? 0 > 1 {
                refused = lack
                forgetError()
            }
            return
        }
        // A property that a conversion changes, such as being a customer, makes a difference within users where there is no other.
        let least = adjustedFor.contains(.user) ? difference.magnitude / 3 : 0
        if let crude, crude * difference <= 0 || crude.magnitude < least {
            refused = .opposed
        } else {
            kind = difference < 0 ? less : more
        }
    }

    /// Takes away what is not known without the error.
    mutating func forgetError() { (difference, interval, pValue, qValue, detectable) = (nil, nil, nil, nil, nil) }
}

extension AdjustedDifference {
    /// Why too few visits or users allow no claim; `nil` if there are enough.
    ///
    /// - Parameter least: how many visits of each side are expected to convert, if the sides do not differ, and how many not to.
    func refused(expecting least: Double = 0) -> Claim.Refusal? {
        let share = Double(marked.converted + others.converted) / Double(marked.visits + others.visits)
        let isLarge = [marked, others].allSatisfy { side in
            side.visits >= Claim.leastVisits && side.users >= Claim.leastUsers && Double(side.visits) * min(share, 1 - share) >= least
        }
        return !isLarge ? .fewVisits : lack == .fewOfBoth || !estimate.isKnown ? lack : nil
    }
}
