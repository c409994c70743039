import Funnels

extension FunnelFlags {
    /// The one funnel that a command can take.
    ///
    /// - Throws: ``UsageError`` if `--funnels` has several funnels, and whatever ``definitions(_:)`` throws.
    static func single(_ invocation: Invocation) throws(UsageError) -> FunnelDefinition {
        let definitions = try definitions(invocation)
        guard definitions.count == 1 else {
            throw UsageError("--funnels has \(definitions.count) funnels, and `looptrail \(invocation.command.name)` takes one")
        }
        return definitions[0]
    }
}
