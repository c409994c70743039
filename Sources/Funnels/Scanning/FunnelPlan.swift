/// Several funnels made ready for one pass over the data.
struct FunnelPlan: Sendable {
    let definitions: [FunnelDefinition]
    let matchers: [StepMatcher]
    /// The different keys, and which of them each funnel counts by.
    let keys: [KeyReader]
    let keyOf: [Int]

    init(_ definitions: [FunnelDefinition]) {
        self.definitions = definitions
        matchers = definitions.map(StepMatcher.init)
        var keys: [FunnelKey] = []
        keyOf = definitions.map { definition in
            if let known = keys.firstIndex(of: definition.key) { return known }
            keys.append(definition.key)
            return keys.count - 1
        }
        self.keys = keys.map(KeyReader.init)
    }
}
