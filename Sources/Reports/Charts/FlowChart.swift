/// Where people go from one place: a tree that flows from left to right, each branch as high as many took it.
public struct FlowChart: Sendable, Hashable {
    /// A place, and where people went from there.
    public struct Node: Sendable, Hashable {
        /// From data.
        public let name: String
        public let count: Int
        /// In the order in which they are drawn, downwards. Together they have no more than `count`; who is missing went nowhere that is
        /// shown.
        public let children: [Node]
        /// Whether people stop here, as `(end)`: drawn in another colour.
        public let isEnd: Bool

        public init(name: String, count: Int, children: [Node] = [], isEnd: Bool = false) {
            self.name = name
            self.count = count
            self.children = children
            self.isEnd = isEnd
        }

        var depth: Int { 1 + (children.map(\.depth).max() ?? 0) }
    }

    public let root: Node

    public init(root: Node) { self.root = root }
}
