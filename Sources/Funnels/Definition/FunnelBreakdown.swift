/// Divides a funnel's keys into groups by the value of a property, or by the values of two properties at one event.
public struct FunnelBreakdown: Sendable, Hashable, CustomStringConvertible {
    /// Which event's value becomes the key's group. An empty or missing value, `null`, an object and an array count as no value.
    public enum Attribution: Sendable, Hashable {
        /// The first value among the key's events that match any step; where visits are counted, among the visit's from its first start on.
        case first
        /// The last value among them.
        case last
        /// The value on the event that took this step, 1 for the first. With steps in any order, the value on the chain's n-th event.
        case step(Int)
        /// The property becomes part of the key: each key counts once for each of its values, with the events that have that value.
        case all
    }

    /// How many groups are shown; the rest becomes one group.
    public static let defaultTop = 10
    /// How many groups may be asked for.
    package static let tops = 1...10_000
    /// The group of keys without a value.
    public static let none = "(none)"
    /// The group of all values beyond the ``top``.
    public static let other = "(other)"

    /// A property of events, or of the lines that begin their sessions.
    public struct Property: Sendable, Hashable {
        public let source: PropertySource
        /// The keys that lead to the property from its source, outermost first. Never empty.
        public let path: [String]
    }

    /// One or two.
    public let properties: [Property]
    public let attribution: Attribution
    /// How many of the most frequent values are groups of their own, 1 to 10,000. The rest is ``other``.
    public package(set) var top: Int

    /// - Parameters:
    ///   - path: the keys that lead to the property from its source, outermost first; at least one.
    ///   - top: 1 to 10,000. A smaller number counts as 1, a larger one as 10,000.
    public init(path: [String], in source: PropertySource = .event, attribution: Attribution = .first, top: Int = defaultTop) {
        precondition(!path.isEmpty, "a breakdown needs a path")
        self.init([Property(source: source, path: path)], attribution, top)
    }

    private init(_ properties: [Property], _ attribution: Attribution, _ top: Int) {
        self.properties = properties
        self.attribution = attribution
        self.top = min(max(top, Self.tops.lowerBound), Self.tops.upperBound)
    }

    /// The breakdown of a text such as `plan`, `session.platform,session.app_version`, `props.plan:last` or `props.plan:step=2`.
    ///
    /// - Throws: ``GrammarError`` with the column of the first thing that does not fit.
    public static func parse(_ text: String, top: Int = defaultTop) throws(GrammarError) -> FunnelBreakdown {
        var grammar = StepGrammar(text, subject: "breakdown")
        var properties: [Property] = []
        repeat {
            if properties.count == 2 { throw grammar.cursor.failure(expected: "`:` or the end: a breakdown takes at most two properties") }
            properties.append(try grammar.property(before: mark))
        } while grammar.cursor.take(",")
        guard grammar.cursor.take(mark) else { return FunnelBreakdown(properties, .first, top) }
        let word = grammar.cursor.rest
        guard let attribution = Attribution(word) else {
            throw grammar.cursor.failure(
                expected: "`first`, `last`, `all` or `step=` and a step's number (a `:` in a key goes in quotes)",
                found: word.isEmpty ? "the end" : "`\(word)`")
        }
        return FunnelBreakdown(properties, attribution, top)
    }

    /// The text of an event's group, made of one value for each property. One value is the text itself. Two are joined, in quotes where
    /// they could be misread. `nil` where a value is missing or empty: another event may have both.
    static func group(of values: [[UInt8]?]) -> [UInt8]? {
        let texts = values.compactMap { $0 }.filter { !$0.isEmpty }
        guard texts.count == values.count else { return nil }
        if texts.count < 2 { return texts.first }
        return Array(texts.map { GrammarText.value(String(decoding: $0, as: UTF8.self)) }.joined(separator: ", ").utf8)
    }

    private static let mark: Unicode.Scalar = ":"

    /// The breakdown as ``parse(_:top:)`` reads it, always with its attribution.
    public var description: String {
        properties.map { $0.source.prefix + GrammarText.path($0.path, before: Self.mark) }.joined(separator: ",") + ":\(attribution)"
    }
}

extension FunnelBreakdown.Attribution: CustomStringConvertible {
    init?(_ word: String) {
        let step = Self.step(max(Int(word.drop { $0 != "=" }.dropFirst()) ?? 1, 1))
        guard let known = [.first, .last, .all, step].first(where: { $0.description == word }) else { return nil }
        self = known
    }

    public var description: String {
        switch self {
        case .first: "first"
        case .last: "last"
        case .step(let step): "step=\(step)"
        case .all: "all"
        }
    }
}
