import Basics

/// Shares in rows and columns, larger ones in a stronger colour: who came back, by cohort and time.
struct HeatChart: Sendable, Hashable, ReportChart {
    struct Row: Sendable, Hashable {
        /// Looptrail's own words: `2026-01-15`.
        let label: String
        /// What the row's shares are of.
        let count: Int
        /// 0…1; `nil` where nothing is known yet.
        let shares: [Double?]
    }

    /// What stands above each column, in Looptrail's own words.
    let columns: [String]
    /// Each with as many shares as there are columns.
    let rows: [Row]

    private static let rowHeight = 26.0
    private static let heading = 22.0
    /// The part of the width that labels and counts take.
    private static let left = 0.2
    /// More columns than this have no room for numbers.
    private static let mostNumbers = 16

    var height: Double { Self.heading + Double(rows.count) * Self.rowHeight }

    var isWide: Bool { columns.count > 5 }

    private var known: [Double] { rows.flatMap { $0.shares.compactMap(\.self) } }

    var summary: String {
        guard let least = known.min(), let most = known.max() else { return "Cells without a share." }
        return "Cells of \(GroupedNumber.counted(rows.count, "row")) and \(GroupedNumber.counted(columns.count, "column")), "
            + "from \(NumberFormat.percent(least)) to \(NumberFormat.percent(most)): the larger, the stronger."
    }

    func draw(on canvas: inout SVGCanvas) {
        let width = (1 - Self.left) / Double(max(columns.count, 1))
        // Every n-th label, so that they do not run into each other.
        let stride = max((columns.count + Self.mostNumbers - 1) / Self.mostNumbers, 1)
        for (index, column) in columns.enumerated() where index % stride == 0 {
            canvas.text(column, x: Self.left + (Double(index) + 0.5) * width, y: 14, anchor: .middle, kind: "small")
        }
        let most = known.max() ?? 0
        for (number, row) in rows.enumerated() {
            let top = Self.heading + Double(number) * Self.rowHeight
            canvas.text(row.label, x: 0, y: top + 17, kind: "small strong")
            canvas.text(NumberFormat.count(row.count), x: Self.left - 0.012, y: top + 17, anchor: .end, kind: "small wide")
            for (index, share) in row.shares.enumerated() {
                let x = Self.left + Double(index) * width
                let text = share.map(NumberFormat.percent)
                canvas.rectangle(
                    x: x, y: top, width: width * 0.97, height: Self.rowHeight - 3, kind: share == nil ? "unknown" : "bar",
                    strength: share.map { 0.06 + 0.5 * (most > 0 ? $0 / most : 0) },
                    hint: text.map { "\(row.label), \(columns[index]): \($0)" })
                guard let text, columns.count <= Self.mostNumbers else { continue }
                canvas.text(text, x: x + width * 0.485, y: top + 16, anchor: .middle, kind: "cell")
            }
        }
    }
}
