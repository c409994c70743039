import Basics

/// Shares over time: a line, and below it how many it is a share of; or several lines over the same stretches of time.
struct LineChart: Sendable, Hashable {
    struct Point: Sendable, Hashable {
        /// The stretch as it is written below the line, in Looptrail's own words: `2026-01-15`.
        let label: String
        /// 0…1; `nil` where there is nothing to take a share of: the line is broken there.
        let share: Double?
        /// What it is a share of; `nil` where that is not known.
        var count: Int?
        /// Whether all that belongs to the stretch has been counted; if not, it is dotted.
        var isComplete = true
        /// What happened at its beginning, in the words of whoever asks for the chart; drawn as a vertical line.
        var mark: String?
    }

    struct Line: Sendable, Hashable {
        /// What the line is of, from data; shown where there are several.
        var name = ""
        /// In the order of time, at equal distances.
        let points: [Point]
        /// Whether it stands behind the others, for comparison.
        var isFaint = false
    }

    /// The labels and the counts below the picture are those of the first line.
    let lines: [Line]

    /// A reader cannot distinguish more lines than this; there are as many colours.
    static let mostLines = 6

    var points: [Point] { lines.first?.points ?? [] }
}

extension LineChart: ReportChart {
    init(points: [Point]) { self.init(lines: [Line(points: points)]) }

    private static let left = 0.08
    private static let legendRow = 20.0
    private static let height = 168.0
    private static let volumeHeight = 36.0
    /// More dots than this run into each other.
    private static let mostDots = 90
    private static let mostLabels = 6

    private var isAlone: Bool { lines.count == 1 }
    private var hasVolume: Bool { points.contains { $0.count != nil } }
    /// The height that the names of several lines take at the top, two in a row.
    private var legend: Double { isAlone ? 0 : Double((lines.count + 1) / 2) * Self.legendRow + 6 }
    private var top: Double { legend + 22 }
    private var bottom: Double { top + Self.height }
    private var floor: Double { hasVolume ? bottom + 21 + Self.volumeHeight : bottom }
    private var stretches: Int { lines.map(\.points.count).max() ?? 0 }
    var height: Double { floor + 22 }

    var summary: String {
        let known = points.compactMap { point in point.share.map { (point.label, $0) } }
        guard let first = known.first, let last = known.last else { return "A line without points." }
        let shares = [first.1, last.1, known.map(\.1).min() ?? 0, known.map(\.1).max() ?? 0].map(NumberFormat.percent)
        let what = isAlone ? "A line" : "\(GroupedNumber.counted(lines.count, "line")), the first"
        let open = lines.contains { $0.points.contains { !$0.isComplete } } ? " What is dotted is not complete." : ""
        return "\(what) over \(GroupedNumber.counted(points.count, "stretch", "stretches")) of time, from \(shares[0]) (\(first.0)) to "
            + "\(shares[1]) (\(last.0)), between \(shares[2]) and \(shares[3]).\(open)"
    }

    func draw(on canvas: inout SVGCanvas) {
        let ceiling = Self.ceiling(lines.flatMap { $0.points.compactMap(\.share) }.max() ?? 0)
        // The scale stands at the left of the line, not on it.
        func x(_ index: Int) -> Double { Self.left + (Double(index) + 0.5) / Double(max(stretches, 1)) * (1 - Self.left) }
        func y(_ share: Double) -> Double { bottom - min(max(share / ceiling, 0), 1) * Self.height }

        drawLegend(on: &canvas)
        for step in [0, 0.5, 1] {
            canvas.line(x1: 0, y1: y(step * ceiling), x2: 1, y2: y(step * ceiling), kind: step == 0 ? "axis" : "grid")
        }
        drawVolume(on: &canvas, x: x)
        for (index, point) in points.enumerated() {
            guard let mark = point.mark else { continue }
            canvas.line(x1: x(index), y1: legend + 4, x2: x(index), y2: bottom, kind: "mark")
            canvas.name(mark, x: x(index), y: legend + 14, shift: 5, wide: 24, narrow: 8)
        }
        // Faint lines, which are there for comparison, lie below the others.
        let order = lines.indices.sorted { lines[$0].isFaint && !lines[$1].isFaint }
        canvas.paths(height: bottom + 2, order.flatMap { paths(of: $0, x: x, y: y) })
        for line in order where stretches <= Self.mostDots { drawDots(of: line, on: &canvas, x: x, y: y) }
        for step in [0.5, 1] { canvas.text(NumberFormat.percent(step * ceiling), x: 0, y: y(step * ceiling) - 5, kind: "small halo") }
        drawLabels(on: &canvas, x: x)
    }

    /// The class of a line or of its dots, `dot open c2`: open where it is not complete.
    private func kind(_ what: String, of line: Int, isOpen: Bool = false) -> String {
        "\(what)\(isOpen ? " open" : "") \(lines[line].isFaint ? "faint" : "c\(line % Self.mostLines + 1)")"
    }

    private func drawLegend(on canvas: inout SVGCanvas) {
        if isAlone { return }
        for (index, line) in lines.enumerated() {
            let (x, y) = (Double(index % 2) / 2, Double(index / 2) * Self.legendRow)
            canvas.sample(x: x, y: y + 9, width: 20, kind: kind("line", of: index))
            canvas.name(line.name, x: x, y: y + 14, shift: 24, wide: 44, narrow: 11)
        }
    }

    private func drawDots(of line: Int, on canvas: inout SVGCanvas, x: (Int) -> Double, y: (Double) -> Double) {
        for (index, point) in lines[line].points.enumerated() {
            guard let share = point.share else { continue }
            let of = point.count.map { " of \(NumberFormat.count($0))" } ?? ""
            canvas.dot(
                x: x(index), y: y(share), radius: isAlone ? 3.5 : 3, kind: kind("dot", of: line, isOpen: !point.isComplete),
                hint: "\(point.label): \(NumberFormat.percent(share))\(of)\(point.isComplete ? "" : ", not complete")")
        }
    }

    /// How many entered, as bars of their own below the line.
    private func drawVolume(on canvas: inout SVGCanvas, x: (Int) -> Double) {
        guard hasVolume else { return }
        let most = Double(max(points.compactMap(\.count).max() ?? 0, 1))
        let width = (1 - Self.left) / Double(stretches)
        for (index, point) in points.enumerated() {
            guard let count = point.count, count > 0 else { continue }
            let height = max(Double(count) / most * Self.volumeHeight, 1)
            canvas.rectangle(
                x: x(index) - width * 0.4, y: floor - height, width: width * 0.8, height: height, kind: "volume",
                hint: "\(point.label): \(NumberFormat.count(count)) entered")
        }
        canvas.line(x1: 0, y1: floor, x2: 1, y2: floor, kind: "axis")
        canvas.text("entered, at most \(NumberFormat.count(Int(most)))", x: 0, y: bottom + 13, kind: "small halo")
    }

    /// The line, dotted from and to what is not complete. A single line has the area under it. A stretch without a share is a gap.
    private func paths(of line: Int, x: (Int) -> Double, y: (Double) -> Double) -> [(d: String, kind: String)] {
        let points = lines[line].points
        func point(_ index: Int) -> String { SVGCanvas.point(x(index), y(points[index].share ?? 0)) }
        var (areas, paths): ([(d: String, kind: String)], [(d: String, kind: String)]) = ([], [])
        for run in points.indices.split(whereSeparator: { points[$0].share == nil }) where run.count > 1 {
            if isAlone, let first = run.first, let last = run.last {
                let above = run.map(point).joined(separator: " L")
                areas.append(("M\(SVGCanvas.point(x(first), bottom)) L\(above) L\(SVGCanvas.point(x(last), bottom)) Z", "area"))
            }
            var d = ""
            var wasOpen: Bool?
            for (from, to) in zip(run, run.dropFirst()) {
                let isOpen = !points[from].isComplete || !points[to].isComplete
                if let wasOpen, wasOpen != isOpen {
                    paths.append((d, kind("line", of: line, isOpen: wasOpen)))
                    d = ""
                }
                d += (d.isEmpty ? "M\(point(from))" : "") + " L\(point(to))"
                wasOpen = isOpen
            }
            if let wasOpen { paths.append((d, kind("line", of: line, isOpen: wasOpen))) }
        }
        return areas + paths
    }

    /// Marks at equal distances, as many as have room for their labels.
    private func drawLabels(on canvas: inout SVGCanvas, x: (Int) -> Double) {
        let step = max((points.count + Self.mostLabels - 1) / Self.mostLabels, 1)
        let indices = Array(stride(from: 0, to: points.count, by: step))
        for index in indices {
            // A narrow page has room for the two ends only.
            let isEnd = index == 0 || index == indices.last
            let anchor: SVGCanvas.Anchor = indices.count == 1 ? .middle : index == 0 ? .start : x(index) > 0.9 ? .end : .middle
            canvas.line(x1: x(index), y1: floor, x2: x(index), y2: floor + 5, kind: "axis")
            canvas.text(points[index].label, x: x(index), y: floor + 18, anchor: anchor, kind: isEnd ? "small" : "small wide")
        }
    }

    /// The share at the top of the scale: a round one, not much above the largest.
    static func ceiling(_ largest: Double) -> Double {
        [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8].first { $0 >= largest && largest > 0 } ?? 1
    }
}
