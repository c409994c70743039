/// Another product's rules for a key's level: how many steps it reached. They replace points 4 and 5 of ``FunnelDefinition``.
public struct FunnelCompat: Sendable, Hashable, CustomStringConvertible {
    /// The modes that `windowFunnel` takes besides the window.
    public enum WindowFunnelMode: String, Sendable, Hashable, CaseIterable {
        /// A step that comes again ends the funnel.
        case deduplication = "strict_deduplication"
        /// Any other event between two steps ends the funnel.
        case order = "strict_order"
        /// Times must rise from step to step.
        case increase = "strict_increase"
        /// One event fills one step, although it fits several.
        case once = "strict_once"
    }

    let modes: Set<WindowFunnelMode>
    /// Whether events that fit no step matter.
    var ordersStrictly: Bool { modes.contains(.order) }

    /// ClickHouse's `windowFunnel`, https://clickhouse.com/docs/sql-reference/aggregate-functions/parametric-functions#windowfunnel
    public static func clickhouse(_ modes: Set<WindowFunnelMode>) -> FunnelCompat { FunnelCompat(modes: modes) }

    /// The value of `clickhouse[:mode+mode]`.
    ///
    /// - Throws: ``GrammarError`` with the column of what does not fit.
    public static func parse(_ text: String) throws(GrammarError) -> FunnelCompat {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        func failure(_ found: Substring, after prefix: Int, _ expected: String) -> GrammarError {
            GrammarError(
                subject: "compat", text: text, column: prefix + 1, found: found.isEmpty ? "the end" : "`\(found)`", expected: expected)
        }
        guard parts[0] == "clickhouse" else { throw failure(parts[0], after: 0, "`clickhouse`, or `clickhouse:` and its modes") }
        guard parts.count > 1 else { return .clickhouse([]) }
        var (modes, offset) = (Set<WindowFunnelMode>(), parts[0].count + 1)
        for word in parts[1].split(separator: "+", omittingEmptySubsequences: false) {
            guard let mode = WindowFunnelMode(rawValue: String(word)) else {
                throw failure(word, after: offset, "one of " + WindowFunnelMode.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "))
            }
            modes.insert(mode)
            offset += word.count + 1
        }
        return .clickhouse(modes)
    }

    /// The value as ``parse(_:)`` reads it, the modes in the order of their declaration.
    public var description: String {
        let names = WindowFunnelMode.allCases.filter(modes.contains).map(\.rawValue)
        return names.isEmpty ? "clickhouse" : "clickhouse:" + names.joined(separator: "+")
    }
}
