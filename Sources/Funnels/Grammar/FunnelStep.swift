/// One step of a funnel: which events take it, and whether a chain may go on without it.
public struct FunnelStep: Sendable, Hashable, CustomStringConvertible {
    public let pattern: EventPattern
    public let isOptional: Bool

    public init(_ pattern: EventPattern, isOptional: Bool = false) { (self.pattern, self.isOptional) = (pattern, isOptional) }

    /// A step that any event of this name takes.
    public init(_ name: String) { self.init(EventPattern(names: .oneOf([name]))) }

    /// The steps of a text such as `catalog_viewed > (buy | order)[price>=10, plan=pro] > paid`.
    ///
    /// - Throws: ``GrammarError`` with the column of the first thing that does not fit.
    public static func parse(_ text: String) throws(GrammarError) -> [FunnelStep] {
        var grammar = StepGrammar(text)
        return try grammar.steps()
    }

    /// The step in the step grammar; parsing it gives an equal step.
    public var description: String { isOptional ? "\(pattern)?" : pattern.description }
}
