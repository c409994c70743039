import Basics

/// How long several groups took: for each its median, its 90th and its 99th percentile.
struct RangeChart: Sendable, Hashable, ReportChart {
    /// One group; times in milliseconds.
    struct Row: Sendable, Hashable {
        /// From data.
        let name: String
        let median: Double
        let ninetieth: Double
        let ninetyNinth: Double
    }

    let rows: [Row]

    private static let rowHeight = 40.0

    private var bottom: Double { Double(max(rows.count, 1)) * Self.rowHeight }

    var height: Double { bottom + 24 }

    var summary: String {
        let medians = rows.map { NumberFormat.duration($0.median) }.joined(separator: ", ")
        return
            "\(GroupedNumber.counted(rows.count, "row")) over a growing scale of time: a dot at the median, a bar to p90, a line to p99. "
            + "Medians, one a row of the table below: \(medians)."
    }

    func draw(on canvas: inout SVGCanvas) {
        let x = scale
        for (number, row) in rows.enumerated() {
            let top = Double(number) * Self.rowHeight
            canvas.name(row.name, x: 0, y: top + 14, wide: 70, narrow: 14)
            let times = [row.median, row.ninetieth, row.ninetyNinth].map(NumberFormat.duration)
            canvas.text("median \(times[0]) · p90 \(times[1])", x: 1, y: top + 14, anchor: .end, kind: "value")
            canvas.rectangle(x: 0, y: top + 20, width: 1, height: 12, kind: "track")
            guard let median = x(row.median), let ninetieth = x(row.ninetieth), let last = x(row.ninetyNinth) else { continue }
            canvas.line(x1: median, y1: top + 26, x2: max(last, median), y2: top + 26, kind: "axis")
            canvas.rectangle(x: median, y: top + 22, width: max(ninetieth - median, 0), height: 8, kind: "volume")
            let hint = "median \(times[0]), p90 \(times[1]), p99 \(times[2])"
            canvas.dot(x: median, y: top + 26, radius: 5, kind: "dot", hint: hint)
        }
        canvas.timeAxis(TimeTicks.chosen { $0 < lower ? nil : x($0) }, y: bottom)
    }

    /// Where the scale begins: at half of the shortest median.
    private var lower: Double { max((rows.map(\.median).min() ?? 0) / 2, 0.5) }

    /// The position of a duration from left to right, on a logarithmic scale up to the longest p99; `nil` above that.
    private var scale: (Double) -> Double? {
        let lower = lower
        let upper = max(rows.map { max($0.median, $0.ninetieth, $0.ninetyNinth) }.max() ?? 0, lower * 4)
        return { milliseconds in
            guard milliseconds >= 0, milliseconds <= upper else { return nil }
            // A duration below the scale's beginning is drawn there; room is left for the dot.
            let share = milliseconds <= lower ? 0 : log(milliseconds / lower) / log(upper / lower)
            return 0.01 + 0.98 * share
        }
    }
}
