extension FunnelDefinition {
    /// This funnel with another time range for its starts.
    ///
    /// - Parameters:
    ///   - since: the first millisecond since 1970 UTC in which an attempt may start.
    ///   - until: the first in which none may start any more; after `since`.
    /// - Throws: ``FunnelDefinitionError/emptyTimeRange(since:until:)``.
    public func with(since: Int64?, until: Int64?) throws(FunnelDefinitionError) -> FunnelDefinition {
        var definition = self
        (definition.since, definition.until) = (since, until)
        try definition.checkEach()
        return definition
    }
}
