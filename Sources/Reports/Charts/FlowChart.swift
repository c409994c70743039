/// Where people go from one event: a tree from left to right. The more people took a branch, the thicker it is.
struct FlowChart: Sendable, Hashable, ReportChart {
    struct Node: Sendable, Hashable {
        /// From data.
        let name: String
        let count: Int
        /// From top to bottom. Together they have at most `count`: the people who are missing went nowhere that is shown.
        var children: [Node] = []
        /// Whether people stop here, as `(end)`: drawn in another colour.
        var isEnd = false

        var depth: Int { 1 + (children.map(\.depth).max() ?? 0) }
    }

    let root: Node

    /// The least room for a node, in CSS pixels: its two lines of text need it.
    private static let leastHeight = 42.0
    /// The height of all branches, without the room that texts need beyond it.
    private static let wholeHeight = 260.0
    private static let nodeWidth = 10.0

    var height: Double { room(for: root) + 8 }

    var isWide: Bool { root.depth > 2 }

    var summary: String {
        let next = root.children.map { "\(NumberFormat.count($0.count)) (\(share($0)))" }.joined(separator: ", ")
        return "Branches from left to right: \(NumberFormat.count(root.count)), then \(next.isEmpty ? "nowhere" : next)."
    }

    func draw(on canvas: inout SVGCanvas) {
        var links: [(d: String, kind: String)] = []
        var nodes: [(node: Node, depth: Int, top: Double)] = []
        func add(_ node: Node, depth: Int, top: Double) {
            nodes.append((node, depth, top))
            let (left, right) = (x(depth), x(depth + 1))
            func curve(_ x2: Double, _ y1: Double, _ y2: Double) -> String {
                let middle = (left + right) / 2
                return "C\(SVGCanvas.point(middle, y1)) \(SVGCanvas.point(middle, y2)) \(SVGCanvas.point(x2, y2))"
            }
            var (from, to) = (top, top)
            for child in node.children {
                let height = thickness(child.count)
                let there = "M\(SVGCanvas.point(left, from)) \(curve(right, from, to))"
                let back = "L\(SVGCanvas.point(right, to + height)) \(curve(left, to + height, from + height)) Z"
                links.append(("\(there) \(back)", child.isEnd ? "flow end" : "flow"))
                add(child, depth: depth + 1, top: to)
                from += height
                to += room(for: child)
            }
        }
        add(root, depth: 0, top: 4)
        canvas.paths(height: height, links)
        for (node, depth, top) in nodes { draw(node, depth: depth, top: top, on: &canvas) }
    }

    private func share(_ node: Node) -> String { NumberFormat.percent(root.count == 0 ? 0 : Double(node.count) / Double(root.count)) }

    private func thickness(_ count: Int) -> Double { max(root.count == 0 ? 0 : Double(count) / Double(root.count) * Self.wholeHeight, 2) }

    /// How much room a node and all behind it take, downwards.
    private func room(for node: Node) -> Double {
        max(thickness(node.count) + 8, Self.leastHeight, node.children.reduce(0) { $0 + room(for: $1) })
    }

    private func x(_ depth: Int) -> Double { Double(depth) / Double(root.depth) }

    private func draw(_ node: Node, depth: Int, top: Double, on canvas: inout SVGCanvas) {
        let kind = node.isEnd ? "node end" : "node"
        canvas.rectangle(x: x(depth), y: top, width: Self.nodeWidth, inPixels: true, height: thickness(node.count), kind: kind)
        // How many columns of text fit between two nodes: on a wide page, and on a narrow one, where a wide picture keeps its width.
        let wide = max(100 / root.depth - 2, 6)
        let narrow = max((isWide ? 56 : 32) / root.depth - 2, 6)
        canvas.name(node.name, x: x(depth), y: top + 14, shift: Self.nodeWidth + 6, wide: wide, narrow: narrow)
        let text = "\(NumberFormat.count(node.count)) · \(share(node))"
        canvas.text(text, x: x(depth), y: top + 31, shift: Self.nodeWidth + 6, kind: "small")
    }
}
