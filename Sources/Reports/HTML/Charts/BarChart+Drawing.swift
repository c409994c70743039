extension BarChart: DrawnChart {
    private static let rowHeight = 40.0

    private var bottom: Double { Double(max(rows.count, 1)) * Self.rowHeight }

    var height: Double { bottom + (note == nil ? 0 : 18) }

    var summary: String { "Bars, one a row of the table below: \(rows.map(\.text).joined(separator: ", ")).\(note.map { " \($0)" } ?? "")" }

    func draw(on canvas: inout SVGCanvas) {
        for (place, row) in rows.enumerated() {
            let top = Double(place) * Self.rowHeight
            canvas.name(row.name, x: 0, y: top + 14, wide: 80, narrow: 20)
            canvas.text(row.text, x: 1, y: top + 14, anchor: .end, kind: "value")
            canvas.rectangle(x: 0, y: top + 20, width: 1, height: 12, kind: "track")
            let share = min(max(row.value / scale, 0), 1)
            if share > 0 { canvas.rectangle(x: 0, y: top + 20, width: share, height: 12, kind: "bar") }
        }
        if let note { canvas.text(note, x: 1, y: bottom + 12, anchor: .end, kind: "small") }
    }
}
