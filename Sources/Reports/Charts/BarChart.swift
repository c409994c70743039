/// Quantities compared: one bar each, on one scale.
struct BarChart: Sendable, Hashable, ReportChart {
    struct Row: Sendable, Hashable {
        /// From data.
        let name: String
        /// 0 or more.
        let value: Double
        /// The value as it is written beside the bar, in Looptrail's own words.
        let text: String
    }

    let rows: [Row]
    /// The value whose bar is as long as the picture is wide; `nil` for the largest value.
    var full: Double?
    /// A note below the bars about their scale, in Looptrail's own words, such as what a full bar stands for if not 100%.
    var note: String?

    /// What a bar's value is divided by to get its length; never 0.
    var scale: Double {
        let largest = full ?? rows.map(\.value).max() ?? 0
        return largest > 0 ? largest : 1
    }

    private static let rowHeight = 40.0

    private var bottom: Double { Double(max(rows.count, 1)) * Self.rowHeight }

    var height: Double { bottom + (note == nil ? 0 : 18) }

    var summary: String { "Bars, one a row of the table below: \(rows.map(\.text).joined(separator: ", ")).\(note.map { " \($0)" } ?? "")" }

    var rowShares: [Double]? { rows.map { $0.value / scale } }

    func draw(on canvas: inout SVGCanvas) {
        for (index, row) in rows.enumerated() {
            let top = Double(index) * Self.rowHeight
            canvas.name(row.name, x: 0, y: top + 14, wide: 80, narrow: 20)
            canvas.text(row.text, x: 1, y: top + 14, anchor: .end, kind: "value")
            canvas.rectangle(x: 0, y: top + 20, width: 1, height: 12, kind: "track")
            let share = min(max(row.value / scale, 0), 1)
            if share > 0 { canvas.rectangle(x: 0, y: top + 20, width: share, height: 12, kind: "bar") }
        }
        if let note { canvas.text(note, x: 1, y: bottom + 12, anchor: .end, kind: "small") }
    }
}
