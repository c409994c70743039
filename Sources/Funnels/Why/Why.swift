/// What is more frequent among visits that go on to a step than among those that do not, or less. It says nothing about causes.
public struct Why: Sendable, Hashable {
    /// What a visit can have or lack.
    public enum Kind: String, Sendable, Hashable {
        /// An event in the time before the fork (``WhyDefinition``).
        case event
        /// A property of the fork's event.
        case property
        /// A property of the session that the fork's event is in.
        case session
    }

    /// One thing that some visits have, and how many of either outcome have it, without regard to what else differs. It concludes nothing.
    public struct Candidate: Sendable, Hashable {
        public let kind: Kind
        /// An event's name, or a path: `props.coupon`, `session.platform`.
        public let name: String
        /// The text that was compared; `nil` for an event.
        public let value: String?
        /// How many of the visits that went on have it, and how many of those that did not.
        public let convertedWith: Int
        public let droppedWith: Int
        /// The odds of having it among those that went on, divided by the odds among those that did not; above 0.
        public let oddsRatio: Double
        /// The ends of the odds ratio's confidence interval of 95 %, with users as clusters.
        public let lower: Double
        public let upper: Double
        /// How often chance alone makes a difference at least as large, and this p-value corrected for the number of candidates.
        public let pValue: Double
        public let qValue: Double
    }

    /// A difference that holds while the day, the number of other events before the fork, and all earlier findings are held equal. For what
    /// comes and goes with time, such as a release, the user is held equal instead of that number.
    public struct Finding: Sendable, Hashable {
        /// One thing, or two values of properties that the same visit has.
        public let of: [Candidate]
        /// Other things that nearly the same visits have.
        public let same: [Candidate]
        /// Visits that have it, and those of them that went on.
        public let entered: Int
        public let converted: Int
        package let claim: Claim

        /// By how much more of these visits go on than of the others, −1…1, with what the claim names held equal.
        public var difference: Double { claim.difference ?? 0 }
    }

    public let definition: WhyDefinition
    /// How many visits' first attempts at the fork went on, and how many did not.
    public let converted: Int
    public let dropped: Int
    /// Visits that were left out: a start was still open, their fork lies too near to the first event read, or an exclusion took them out.
    public let leftOutOpen: Int
    public let leftOutEarly: Int
    public let leftOutSpoilt: Int
    /// The larger of two numbers: the candidates by themselves, and those tested for findings, which include pairs of values.
    public let tested: Int
    /// The most certain first; at most as many as the definition has for its top.
    public let candidates: [Candidate]
    /// What may be concluded, in the order in which it was found; at most five.
    public let findings: [Finding]
    /// Where nothing is found, says why, or how large a difference would have been found.
    package let silence: Claim
    /// The surest candidate, with nothing held equal, of which nothing is concluded: hardly any user has forks with it and without it.
    package var refused: Candidate?
    /// Paths with too many values to be anything but an id, in alphabetical order.
    public let ids: [String]
    public let input: InputQuality
    /// Names in the steps and exclusions that no event had, in the definition's order.
    public let unseenNames: [UnseenName]
    /// As ``FunnelResult/unseenPaths``.
    public var unseenPaths: [UnseenName] = []
}
