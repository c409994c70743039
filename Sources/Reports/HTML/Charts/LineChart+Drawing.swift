import Basics

extension LineChart: DrawnChart {
    private static let left = 0.08
    private static let top = 22.0
    private static let bottom = 190.0
    private static let volumeBottom = 247.0
    private static let volumeHeight = 36.0
    /// More dots than this run into each other.
    private static let mostDots = 90
    private static let mostLabels = 6

    private var hasVolume: Bool { points.contains { $0.count != nil } }
    private var floor: Double { hasVolume ? Self.volumeBottom : Self.bottom }
    var height: Double { floor + 22 }

    var summary: String {
        let known = points.compactMap { point in point.share.map { (point.label, $0) } }
        guard let first = known.first, let last = known.last else { return "A line without points." }
        let lowest = known.map(\.1).min() ?? 0
        let highest = known.map(\.1).max() ?? 0
        return
            "A line over \(GroupedNumber.counted(points.count, "stretch", "stretches")) of time, from \(NumberFormat.percent(first.1)) (\(first.0)) to "
            + "\(NumberFormat.percent(last.1)) (\(last.0)), between \(NumberFormat.percent(lowest)) and \(NumberFormat.percent(highest))."
    }

    func draw(on canvas: inout SVGCanvas) {
        let ceiling = Self.ceiling(points.compactMap(\.share).max() ?? 0)
        // The scale stands at the left of the line, not on it.
        func x(_ place: Int) -> Double { Self.left + (Double(place) + 0.5) / Double(max(points.count, 1)) * (1 - Self.left) }
        func y(_ share: Double) -> Double { Self.bottom - min(max(share / ceiling, 0), 1) * (Self.bottom - Self.top) }

        for step in [0, 0.5, 1] {
            canvas.line(x1: 0, y1: y(step * ceiling), x2: 1, y2: y(step * ceiling), kind: step == 0 ? "axis" : "grid")
        }
        drawVolume(on: &canvas, x: x)
        canvas.paths(height: Self.bottom + 2, paths(x: x, y: y))
        for (place, point) in points.enumerated() {
            guard let share = point.share, points.count <= Self.mostDots else { continue }
            let of = point.count.map { " of \(NumberFormat.count($0))" } ?? ""
            canvas.dot(x: x(place), y: y(share), radius: 3.5, kind: "dot", hint: "\(point.label): \(NumberFormat.percent(share))\(of)")
        }
        for step in [0.5, 1] {
            canvas.text(NumberFormat.percent(step * ceiling), x: 0, y: y(step * ceiling) - 5, kind: "small halo")
        }
        drawLabels(on: &canvas, x: x)
    }

    /// How many entered, as bars of their own below the line.
    private func drawVolume(on canvas: inout SVGCanvas, x: (Int) -> Double) {
        guard hasVolume else { return }
        let most = Double(max(points.compactMap(\.count).max() ?? 0, 1))
        let width = (1 - Self.left) / Double(points.count)
        for (place, point) in points.enumerated() {
            guard let count = point.count, count > 0 else { continue }
            let height = max(Double(count) / most * Self.volumeHeight, 1)
            canvas.rectangle(
                x: x(place) - width * 0.4, y: Self.volumeBottom - height, width: width * 0.8, height: height, kind: "volume",
                hint: "\(point.label): \(NumberFormat.count(count)) entered")
        }
        canvas.line(x1: 0, y1: Self.volumeBottom, x2: 1, y2: Self.volumeBottom, kind: "axis")
        canvas.text("entered, at most \(NumberFormat.count(Int(most)))", x: 0, y: Self.bottom + 13, kind: "small halo")
    }

    /// The line with the area under it, one of each for every run of points without a gap.
    private func paths(x: (Int) -> Double, y: (Double) -> Double) -> [(d: String, kind: StaticString)] {
        var areas: [(d: String, kind: StaticString)] = []
        var lines: [(d: String, kind: StaticString)] = []
        var run: [Int] = []
        func close() {
            if run.count > 1 {
                let places = run.map { SVGCanvas.place(x($0), y(points[$0].share ?? 0)) }.joined(separator: " L")
                let end = SVGCanvas.place(x(run[run.count - 1]), Self.bottom)
                areas.append(("M\(SVGCanvas.place(x(run[0]), Self.bottom)) L\(places) L\(end) Z", "area"))
                lines.append(("M\(places)", "line"))
            }
            run = []
        }
        for place in points.indices {
            if points[place].share == nil { close() } else { run.append(place) }
        }
        close()
        return areas + lines
    }

    private func drawLabels(on canvas: inout SVGCanvas, x: (Int) -> Double) {
        let count = min(Self.mostLabels, points.count)
        for label in 0..<count {
            let place = count == 1 ? 0 : label * (points.count - 1) / (count - 1)
            // A narrow page has room for the two ends only.
            let isEnd = label == 0 || label == count - 1
            let anchor: SVGCanvas.Anchor = count == 1 ? .middle : label == 0 ? .start : label == count - 1 ? .end : .middle
            let edge = count == 1 ? x(0) : label == 0 ? Self.left : label == count - 1 ? 1 : x(place)
            canvas.text(points[place].label, x: edge, y: floor + 16, anchor: anchor, kind: isEnd ? "small" : "small wide")
        }
    }

    /// The share at the top of the scale: a round one, not much above the largest.
    static func ceiling(_ largest: Double) -> Double {
        [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8].first { $0 >= largest && largest > 0 } ?? 1
    }
}
