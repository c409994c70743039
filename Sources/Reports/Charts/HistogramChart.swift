import Basics
import Funnels

/// The distribution of durations, over a logarithmic scale of time.
struct HistogramChart: Sendable {
    /// How many durations lie between two bounds, which are in milliseconds.
    struct Bar: Sendable, Hashable {
        let lower: Int64
        let upper: Int64
        let count: Int
    }

    /// What the durations are of, in Looptrail's own words.
    let subject: String
    /// Without gaps, in the order of time.
    let bars: [Bar]
    /// Durations worth pointing at, each under a name in Looptrail's own words: `median`.
    var marks: [(name: String, milliseconds: Double)] = []
}

extension HistogramChart: ReportChart {
    /// More bars than this say no more.
    private static let mostBars = 32

    /// The histogram of a sample, with neighbouring bars merged until they are few enough; `nil` if it has no bars.
    init?(_ times: Distribution, of subject: String) {
        var merged = times.histogram.buckets.map { Bar(lower: $0.lower, upper: $0.upper, count: $0.count) }
        if merged.isEmpty { return nil }
        while merged.count > Self.mostBars {
            // All bars stay equally wide: a last one without a neighbour gets an empty neighbour.
            if merged.count % 2 == 1, let last = merged.last {
                let upper = Double(last.upper) * (last.lower == 0 ? 2 : Double(last.upper) / Double(last.lower))
                merged.append(Bar(lower: last.upper, upper: Int64(min(upper, 9e18)), count: 0))
            }
            merged = stride(from: 0, to: merged.count, by: 2).map { first in
                Bar(lower: merged[first].lower, upper: merged[first + 1].upper, count: merged[first].count + merged[first + 1].count)
            }
        }
        self.init(subject: subject, bars: merged, marks: [("median", times.p50), ("p90", times.p90)])
    }

    private var total: Int { bars.reduce(0) { $0 + $1.count } }

    /// The bars as rows, without the empty ones.
    func table(_ caption: String) -> ReportTable {
        func share(_ bars: some Collection<Bar>) -> ReportValue { .share(Double(bars.reduce(0) { $0 + $1.count }) / Double(total)) }
        return ReportTable(
            caption, of: bars.indices.filter { bars[$0].count > 0 },
            [
                .init("From", "from_ms") { .duration(Double(bars[$0].lower)) },
                .init("Below", "to_ms") { .duration(Double(bars[$0].upper)) }, .init("Count", "count") { .count(bars[$0].count) },
                .init("Share", "share") { share(bars[$0...$0]) }, .init("Cumulative", "cumulative_share") { share(bars[...$0]) },
            ])
    }

    private static let top = 44.0
    private static let bottom = 204.0

    /// Few bars stand in the middle with room beside them: a single bar must not fill the page.
    private static let leastSlots = 12

    private var slots: Double { Double(max(bars.count, Self.leastSlots)) }
    private var left: Double { ((slots - Double(bars.count)) / 2).rounded(.down) }

    var height: Double { 228 }
    var hasLongTable: Bool { true }

    var summary: String {
        let marks = marks.map { "\($0.name) \(NumberFormat.duration($0.milliseconds))" }.joined(separator: ", ")
        return
            "\(subject): \(NumberFormat.count(total)) durations as bars over a growing scale of time\(marks.isEmpty ? "" : "; \(marks)")."
    }

    func draw(on canvas: inout SVGCanvas) {
        let most = Double(max(bars.map(\.count).max() ?? 0, 1))
        let width = 1 / slots
        for (index, bar) in bars.enumerated() where bar.count > 0 {
            let height = max(Double(bar.count) / most * (Self.bottom - Self.top), 1)
            let ends = [bar.lower, bar.upper].map { NumberFormat.duration(Double($0)) }
            canvas.rectangle(
                x: (left + Double(index) + 0.06) * width, y: Self.bottom - height, width: width * 0.88, height: height, kind: "bar",
                hint: "\(ends[0]) – \(ends[1]): \(NumberFormat.count(bar.count))")
        }
        let ticks = TimeTicks.chosen(x)
        // Where no tick lies within the bars, the scale's beginning is one.
        canvas.timeAxis(ticks.isEmpty ? bars.prefix(1).map { (left / slots, Double($0.lower)) } : ticks, y: Self.bottom)
        for (index, mark) in marks.enumerated() {
            guard let x = self.x(of: mark.milliseconds) else { continue }
            let y = 13 + Double(index) * 17
            canvas.line(x1: x, y1: y - 9, x2: x, y2: Self.bottom, kind: "mark")
            // Names stand apart: the first before its line, the next behind it, where there is room.
            let isRight = x > (index == 0 ? 0.35 : 0.75)
            canvas.text(
                "\(mark.name) \(NumberFormat.duration(mark.milliseconds))", x: x, y: y, shift: isRight ? -6 : 6,
                anchor: isRight ? .end : .start, kind: "small strong")
        }
    }

    /// The position of a duration from left to right, 0…1; `nil` outside the bars.
    func x(of milliseconds: Double) -> Double? {
        guard let index = bars.lastIndex(where: { Double($0.lower) <= milliseconds }) else { return nil }
        let (lower, upper) = (Double(bars[index].lower), Double(bars[index].upper))
        if milliseconds > upper { return nil }
        // The axis is logarithmic, except in the bar that begins at 0.
        return (left + Double(index) + (lower == 0 ? milliseconds / upper : log(milliseconds / lower) / log(upper / lower))) / slots
    }
}
