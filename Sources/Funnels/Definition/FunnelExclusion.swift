/// Events that must not happen while an attempt stands between two steps.
///
/// ```
/// exclusion = [ "!" ] ( name / "*" / "(" … ")" ) [ "[" test … "]" ] [ "@" int "-" int ]
/// ```
public struct FunnelExclusion: Sendable, Hashable, CustomStringConvertible {
    /// A funnel has at most this many.
    public static let most = 32

    public let pattern: EventPattern
    /// The steps between which it holds, 1 for the first: while an attempt stands on `steps.lowerBound` or a later step before
    /// `steps.upperBound`. `nil` is from the first step to the last.
    public let steps: ClosedRange<Int>?
    /// Whether it spoils the attempt instead of only ending it: a spoilt attempt may remove its key.
    public let spoils: Bool

    /// - Parameter steps: two different steps, 1 for the first.
    public init(_ pattern: EventPattern, steps: ClosedRange<Int>? = nil, spoils: Bool = false) {
        precondition(steps.map { $0.lowerBound >= 1 && $0.lowerBound < $0.upperBound } ?? true, "an exclusion lies between two steps")
        self.pattern = pattern
        self.steps = steps
        self.spoils = spoils
    }

    /// The exclusion of a text such as `!cart_cleared[reason=user]@2-4`.
    ///
    /// - Throws: ``GrammarError`` with the column of the first thing that does not fit.
    public static func parse(_ text: String) throws(GrammarError) -> FunnelExclusion {
        var grammar = StepGrammar(text, subject: "exclude")
        return try grammar.exclusion()
    }

    /// Which steps an attempt stands on while the exclusion holds, as bits: bit n − 1 is step n.
    ///
    /// - Parameter count: steps of the funnel.
    func standing(of count: Int) -> UInt32 {
        let (first, last) = (steps?.lowerBound ?? 1, steps?.upperBound ?? count)
        guard first < last else { return 0 }
        return UInt32(truncatingIfNeeded: (UInt64(1) << UInt64(last - 1)) - (UInt64(1) << UInt64(first - 1)))
    }

    /// The exclusion in its grammar; parsing it gives an equal one.
    public var description: String {
        (spoils ? "!" : "") + pattern.description + (steps.map { "@\($0.lowerBound)-\($0.upperBound)" } ?? "")
    }
}
