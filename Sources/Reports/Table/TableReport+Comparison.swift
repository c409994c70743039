public import Funnels

extension TableReport {
    /// The funnel as always, and below it both times side by side.
    public func text(of comparison: FunnelComparison) -> String {
        let (own, other) = (comparison.result, comparison.other)
        func share(_ share: Double?) -> String { share.map(NumberFormat.percent) ?? style.dash }
        func points(_ share: Double?, _ other: Double?) -> String {
            FunnelComparison.difference(share, other).map { NumberFormat.points($0, minus: style.minus) } ?? style.dash
        }
        var rows = zip(own.steps, other.steps).map { step, other in
            let pattern = own.definition.steps[step.index - 1].pattern
            return [
                "\(TerminalText.rightAligned(String(step.index), in: 2)) \(shown(pattern.title, atMost: 30))", number(step.count),
                number(other.count),
                points(step.ofFirst, other.ofFirst), share(step.ofFirst), share(other.ofFirst),
            ]
        }
        rows.append([
            "Overall", number(own.converted), number(other.converted), points(own.rate, other.rate), share(own.rate), share(other.rate),
        ])
        let range = times(other.definition.since, other.definition.until, what: "starts")
        let heading = style.flow([("Compared with", ""), (range ?? "all starts", " ")])
        let lines =
            [""] + heading
            + columns(["", "count", "compared", "points", "of step 1", "compared"], rows, rightAligned: [1, 2, 3, 4, 5])
        return text(of: own) + lines.map { $0 + "\n" }.joined()
    }
}
