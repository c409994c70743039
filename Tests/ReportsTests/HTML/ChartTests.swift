import Testing

@testable import Funnels
@testable import Reports

@Suite("Charts")
struct ChartTests {
    private func drawing(_ chart: any ReportChart) -> (html: String, page: MarkupPage) {
        var canvas = SVGCanvas()
        chart.draw(on: &canvas)
        return (canvas.html.text, MarkupPage(canvas.html.text))
    }

    static let charts: [any ReportChart] = [
        FunnelChart(rows: [.init(name: "a", count: 4, share: 1), .init(name: "b", count: 1, share: 0.25, dropped: 3, ofPrevious: 0.25)]),
        FunnelChart(rows: []),
        BarChart(rows: [.init(name: "a", value: 2, text: "2"), .init(name: "b", value: 0, text: "0")]),
        BarChart(rows: []), BarChart(rows: [.init(name: "a", value: 0, text: "0")]),
        HistogramChart(subject: "s", bars: [.init(lower: 0, upper: 1, count: 5)], marks: [("median", 0)]),
        HistogramChart(subject: "s", bars: []), LineChart(points: []),
        LineChart(points: [.init(label: "x", share: nil)]), LineChart(points: [.init(label: "x", share: 0.5, count: 3)]),
        LineChart(points: (0..<200).map { .init(label: "\($0)", share: $0 % 7 == 0 ? nil : 0.3, count: $0) }),
        LineChart(points: (0..<5).map { .init(label: "\($0)", share: 0.3, count: $0, isComplete: $0 > 0 && $0 < 4) }),
        LineChart(
            lines: (0..<7).map { line in
                LineChart.Line(
                    name: "<b>\(line)", points: (0..<20).map { .init(label: "\($0)", share: Double(line) / 10, isComplete: $0 < 18) },
                    isFaint: line == 6)
            }),
        LineChart(lines: [.init(name: "a", points: []), .init(name: "b", points: [.init(label: "x", share: 1)])]),
        RangeChart(rows: []), RangeChart(rows: [.init(name: "a", median: 0, ninetieth: 0, ninetyNinth: 0)]),
        RangeChart(rows: [
            .init(name: "a", median: 1000, ninetieth: 90_000, ninetyNinth: 4_000_000),
            .init(name: "b", median: 1e15, ninetieth: 1e15, ninetyNinth: 1e15),
        ]),
        BarChart(rows: [.init(name: "a", value: 0.01, text: "1%")], full: 0.02, note: "A full bar is 2.0%."),
        FlowChart(root: .init(name: "a", count: 0)),
        FlowChart(
            root: .init(name: "a", count: 9, children: [.init(name: "b", count: 5), .init(name: "(end)", count: 4, isEnd: true)])),
    ]

    @Test("every chart is sound, within its height, and says in words what it shows", arguments: charts)
    func sound(chart: any ReportChart) throws {
        let (html, page) = drawing(chart)
        #expect(page.problems == [] && !html.contains("nan") && !html.contains("inf"))
        let drawn = chart
        #expect(!drawn.summary.isEmpty && drawn.height >= 0)
        for y in (page.values["y"] ?? []) + (page.values["cy"] ?? []) + (page.values["y2"] ?? []) {
            let value = try #require(Double(y))
            #expect(value >= 0 && value <= drawn.height, "\(html)")
        }
        for x in (page.values["x"] ?? []) + (page.values["cx"] ?? []) + (page.values["width"] ?? []) where x.hasSuffix("%") {
            let value = try #require(Double(x.dropLast()))
            #expect(value >= 0 && value <= 100)
        }
        for height in page.values["height"] ?? [] { #expect(try #require(Double(height)) >= 0) }
    }

    @Test func `a funnel's bar is as long as its share, and the lighter end is what was lost`() {
        let (html, _) = drawing(Self.charts[0])
        #expect(html.contains("<rect x=\"0%\" y=\"108\" width=\"25%\" height=\"26\" class=\"bar\">"))
        #expect(html.contains("<rect x=\"25%\" y=\"108\" width=\"75%\" height=\"26\" class=\"lost\"><title>lost: 3</title>"))
        #expect(html.contains("−3 lost · 25.0% of step 1"))
    }

    @Test func `a step refers to the last one before it that is not optional`() {
        let chart = FunnelChart(rows: [
            .init(name: "a", count: 4, share: 1), .init(name: "b?", count: 1, share: 0.25, ofPrevious: 0.25),
            .init(name: "c", count: 2, share: 0.5, previous: 1, dropped: 2, ofPrevious: 0.5),
        ])
        let (html, _) = drawing(chart)
        #expect(html.contains("none lost · 25.0% of step 1") && html.contains("−2 lost · 50.0% of step 1"))
        #expect(html.contains("<rect x=\"50%\" y=\"192\" width=\"50%\" height=\"26\" class=\"lost\">"))
        #expect(html.components(of: "class=\"lost\"") == 1)
    }

    @Test func `a later step may be taken by more than an optional one before it`() {
        let chart = FunnelChart(rows: [
            .init(name: "a", count: 4, share: 1), .init(name: "b", count: 1, share: 0.25), .init(name: "c", count: 2, share: 0.5),
        ])
        let (html, page) = drawing(chart)
        #expect(page.problems == [] && html.contains("width=\"50%\" height=\"26\" class=\"bar\""))
        #expect(html.components(of: "class=\"lost\"") == 0)
    }

    @Test func `a long name is cut for wide and narrow pages, and is whole in its hint`() {
        let name = String(repeating: "n", count: 200)
        let (html, page) = drawing(BarChart(rows: [.init(name: name, value: 1, text: "1")]))
        #expect(page.elements.count { $0 == "text" } == 3)
        #expect(html.contains("<title>\(name)</title>") && html.contains("class=\"name wide\"") && html.contains("class=\"name narrow\""))
    }

    @Test func `bars are measured against the largest, or against what is given`() {
        let rows: [BarChart.Row] = [.init(name: "a", value: 0.5, text: "50%"), .init(name: "b", value: 0.25, text: "25%")]
        #expect(drawing(BarChart(rows: rows)).html.contains("width=\"100%\" height=\"12\" class=\"bar\""))
        #expect(drawing(BarChart(rows: rows, full: 1)).html.contains("width=\"50%\" height=\"12\" class=\"bar\""))
    }

    @Test func `a histogram is made of at most 32 bars, whatever the sample, and loses nobody`() throws {
        for range in [0...0, 0...10, 1000...1001, 0...(Int64.max), 50_000...90_000_000] as [ClosedRange<Int64>] {
            var sample = (0..<500).map { range.lowerBound + (range.upperBound - range.lowerBound) / 500 * Int64($0) } + [range.upperBound]
            let distribution = try #require(Distribution(sorting: &sample))
            let chart = try #require(HistogramChart(distribution, of: "s"))
            #expect((1...32).contains(chart.bars.count))
            #expect(chart.bars.reduce(0) { $0 + $1.count } == 501)
            #expect(zip(chart.bars, chart.bars.dropFirst()).allSatisfy { $0.upper == $1.lower })
            for mark in chart.marks { #expect(chart.x(of: mark.milliseconds) != nil) }
            let table = chart.table("c")
            #expect(table.rows.last?.last == .share(1))
            #expect(drawing(chart).page.problems == [])
        }
    }

    @Test func `a moment stands where its bar is`() {
        let chart = HistogramChart(subject: "s", bars: [.init(lower: 0, upper: 10, count: 1), .init(lower: 10, upper: 40, count: 1)])
        #expect(
            chart.x(of: 5) == 5.5 / 12 && chart.x(of: 10) == 0.5 && chart.x(of: 20) == 6.5 / 12
                && chart.x(of: 40) == 7.0 / 12
                && chart.x(of: 41) == nil)
    }

    @Test func `a line is broken where there is no share`() {
        let points = [0.1, 0.2, nil, 0.3, 0.4].enumerated().map { LineChart.Point(label: "\($0.offset)", share: $0.element) }
        let (html, page) = drawing(LineChart(points: points))
        #expect(html.components(of: "class=\"line c1\"") == 2 && page.elements.count { $0 == "circle" } == 4)
    }

    @Test func `what is not complete is dotted and hollow, and the words say so`() {
        let points = [true, true, true, false, false].map { LineChart.Point(label: "x", share: 0.5, isComplete: $0) }
        let chart = LineChart(points: points)
        let (html, _) = drawing(chart)
        #expect(html.components(of: "class=\"line c1\"") == 1 && html.components(of: "class=\"line open c1\"") == 1)
        #expect(html.components(of: "class=\"dot c1\"") == 3 && html.components(of: "class=\"dot open c1\"") == 2)
        #expect(html.contains("x: 50.0%, not complete") && chart.summary.hasSuffix("What is dotted is not complete."))
        // The dotted line begins at the third point and goes on to the fourth and fifth.
        #expect(html.contains("d=\"M540 ") && html.ranges(of: "<path").count == 3)
    }

    @Test("marks of time stand at equal distances", arguments: [1, 2, 6, 7, 14, 15, 90, 400])
    func evenTicks(count: Int) throws {
        let chart = LineChart(points: (0..<count).map { .init(label: "\($0)", share: 0.5) })
        let labels = drawing(chart).html.split(separator: "</text>").compactMap { text in
            text.split(separator: ">").last.flatMap { Int($0) }
        }
        #expect(labels.first == 0 && (count < 2 || (2...6).contains(labels.count)))
        let steps = Set(zip(labels, labels.dropFirst()).map { $1 - $0 })
        #expect(steps.count <= 1 && labels.last.map { $0 + (steps.first ?? 1) > count - 1 } == true)
    }

    @Test func `several lines have their names above, and the line that is compared with lies below the others`() throws {
        let points = [0.1, 0.2].map { LineChart.Point(label: "x", share: $0, count: 5) }
        let chart = LineChart(lines: [.init(name: "<now>", points: points), .init(name: "then", points: points, isFaint: true)])
        let (html, page) = drawing(chart)
        #expect(page.problems == [] && html.contains("&lt;now&gt;"))
        // Each line is once in the legend and then once in the picture.
        let (faint, own) = (html.ranges(of: "\"line faint\"").last, html.ranges(of: "\"line c1\"").last)
        #expect(html.components(of: "class=\"line faint\"") == 2 && html.components(of: "class=\"line c1\"") == 2)
        #expect(try #require(faint).lowerBound < (try #require(own)).lowerBound)
        #expect(!html.contains("class=\"area\"") && chart.summary.hasPrefix("2 lines, the first over 2 stretches of time"))
    }

    @Test func `a range is a dot at the median and a bar to p90, on one scale for all`() throws {
        let chart = RangeChart(rows: [
            .init(name: "a", median: 10_000, ninetieth: 20_000, ninetyNinth: 80_000),
            .init(name: "b", median: 20_000, ninetieth: 20_000, ninetyNinth: 20_000),
        ])
        let (html, page) = drawing(chart)
        // The scale is logarithmic, and from 5 s to 80 s are four doublings.
        #expect(page.values["cx"] == ["25.5%", "50%"])
        #expect(html.contains("<rect x=\"25.5%\" y=\"22\" width=\"24.5%\" height=\"8\" class=\"volume\">"))
        #expect(html.contains("median 10s · p90 20s") && html.contains("p99 1m20s"))
        // A time below the beginning of the scale is no mark of its axis.
        #expect(html.contains(">10s</text>") && !html.contains(">1s</text>"))
    }

    @Test func `bars whose scale ends below 100% say where it ends`() {
        let chart = BarChart(rows: [.init(name: "a", value: 0.01, text: "1%")], full: 0.02, note: "A full bar is 2.0%.")
        #expect(drawing(chart).html.contains("width=\"50%\" height=\"12\" class=\"bar\""))
        #expect(drawing(chart).html.contains(">A full bar is 2.0%.</text>") && chart.summary.hasSuffix(" A full bar is 2.0%."))
    }

    @Test("the scale ends at a round share", arguments: [(0, 1), (0.04, 0.05), (0.2, 0.2), (0.21, 0.4), (0.9, 1), (0.0004, 0.001)])
    func ceiling(largest: Double, top: Double) { #expect(LineChart.ceiling(largest) == top) }

    @Test func `a branch is as high as the number of those that took it, and ends look different`() {
        let (html, page) = drawing(Self.charts[Self.charts.count - 1])
        #expect(page.elements.count { $0 == "path" } == 2 && html.contains("class=\"flow end\"") && html.contains("class=\"node end\""))
        #expect(html.contains("height=\"260\" class=\"node\"") && html.contains("height=\"144.444\" class=\"node\""))
        #expect(html.contains("4 · 44.4%"))
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
