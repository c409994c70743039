/// A funnel: one bar a step, and beside each bar what was lost on the way to it.
struct FunnelChart: Sendable, Hashable, ReportChart {
    struct Row: Sendable, Hashable {
        /// From data.
        let name: String
        let count: Int
        /// The count as a share of that of step 1, 0…1.
        let share: Double
        /// The number, from 1, of the last step before this one that is not optional: ``dropped`` and ``ofPrevious`` refer to it.
        var previous = 1
        /// How many reached that step and not this one.
        var dropped = 0
        /// The count as a share of that step's, 0…1; `nil` for a share of nothing.
        var ofPrevious: Double?
        /// The median time from that step, in milliseconds; `nil` where there is none.
        var median: Double?
        var ninetieth: Double?
    }

    let rows: [Row]

    private static let rowHeight = 84.0
    private static let barHeight = 26.0

    var height: Double { Double(rows.count) * Self.rowHeight }

    var summary: String {
        let shares = rows.map { "\(NumberFormat.count($0.count)) (\(NumberFormat.percent($0.share)))" }
        return "Bars, one a step: \(shares.joined(separator: ", then ")). The lighter end of a bar is what was lost since the step before."
    }

    var rowShares: [Double]? { rows.map(\.share) }

    func draw(on canvas: inout SVGCanvas) {
        for (index, row) in rows.enumerated() {
            let top = Double(index) * Self.rowHeight
            let share = min(max(row.share, 0), 1)
            canvas.name(row.name, prefix: "\(index + 1)  ", x: 0, y: top + 16, wide: 70, narrow: 16)
            canvas.text("\(NumberFormat.count(row.count))  ", strong: NumberFormat.percent(row.share), y: top + 16)
            let bar = top + 24
            canvas.rectangle(x: 0, y: bar, width: 1, height: Self.barHeight, kind: "track")
            let before = rows.indices.contains(row.previous - 1) ? min(max(rows[row.previous - 1].share, share), 1) : share
            if row.dropped > 0, before > share {
                canvas.rectangle(
                    x: share, y: bar, width: before - share, height: Self.barHeight, kind: "lost",
                    hint: "lost: \(NumberFormat.count(row.dropped))")
            }
            if share > 0 { canvas.rectangle(x: 0, y: bar, width: share, height: Self.barHeight, kind: "bar") }
            if index > 0 { drawWay(to: row, y: bar + Self.barHeight + 15, on: &canvas) }
        }
    }

    private func drawWay(to row: Row, y: Double, on canvas: inout SVGCanvas) {
        let lost = row.dropped == 0 ? "none lost" : "\(NumberFormat.count(-row.dropped)) lost"
        let of = row.ofPrevious.map { " · \(NumberFormat.percent($0)) of step \(row.previous)" } ?? ""
        canvas.text(lost + of, x: 0, y: y, kind: row.dropped == 0 ? "small" : "small loss")
        if let median = row.median {
            canvas.text("median \(NumberFormat.duration(median))", x: 1, y: y, anchor: .end, kind: "small narrow")
            let ninetieth = row.ninetieth.map { " · p90 \(NumberFormat.duration($0))" } ?? ""
            canvas.text("median \(NumberFormat.duration(median))\(ninetieth)", x: 1, y: y, anchor: .end, kind: "small wide")
        }
    }
}
