extension StepGrammar {
    /// `[ "!" ] pattern [ "@" int "-" int ]`, the whole text.
    mutating func exclusion() throws(GrammarError) -> FunnelExclusion {
        let spoils = cursor.take("!")
        cursor.skipSpace()
        if cursor.current == nil { throw cursor.failure(expected: "an event: a name, `*` or `(`") }
        let pattern = try pattern(of: "an event")
        guard cursor.take("@") else {
            if cursor.current != nil { throw cursor.failure(expected: pattern.tests.isEmpty ? "`[`, `@` or the end" : "`@` or the end") }
            return FunnelExclusion(pattern, spoils: spoils)
        }
        cursor.skipSpace()
        let start = cursor.position
        let first = try stepNumber()
        if first == 0 { throw cursor.failure(expected: "a step from 1 on", found: "`0`", at: start) }
        guard cursor.take("-") else { throw cursor.failure(expected: "`-` and a later step, as in `@2-4`") }
        cursor.skipSpace()
        let index = cursor.position
        let last = try stepNumber()
        if last <= first {
            let found = "`\(cursor.slice(index..<cursor.position))`"
            throw cursor.failure(expected: "a step after \(first): an exclusion lies between two steps", found: found, at: index)
        }
        cursor.skipSpace()
        if cursor.current != nil { throw cursor.failure(expected: "the end") }
        return FunnelExclusion(pattern, steps: first...last, spoils: spoils)
    }

    /// Reads digits. A number above a million counts as a million, which is far above any step.
    private mutating func stepNumber() throws(GrammarError) -> Int {
        guard let number = cursor.takeNumber() else { throw cursor.failure(expected: "a step's number, 1 for the first") }
        return Int(min(number, 1_000_000))
    }
}
