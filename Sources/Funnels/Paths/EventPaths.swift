/// The paths that lead on from an event, or those that led to it: which events they have, and where they end.
public struct EventPaths: Sendable, Hashable {
    /// What stands at a node.
    public enum Place: Sendable, Hashable {
        case event(name: String)
        /// The path ends: nothing more came within the window; backwards, nothing came before within it.
        case end
        /// Events that are too rare to be listed by name, and how many different names they have.
        case other(names: Int)
    }

    /// One node of the tree of paths, and the nodes that come after it.
    public struct Node: Sendable, Hashable {
        public let place: Place
        /// Paths that come through here.
        public let count: Int
        /// The count as a share of all starts, and as a share of the node one step nearer to the start; 0…1.
        public let ofStarts: Double
        public let ofPrevious: Double
        /// Time between this event and the node one step nearer to the start; `nil` for an end.
        public let fromPrevious: Distribution?
        /// The nodes after this one: by falling count, then by name; `(other)` and `(end)` last. Empty at the last depth and after these.
        public let next: [Node]
    }

    public let definition: PathsDefinition
    /// How many paths began: at most one for each key with ``PathsDefinition/Count/users``.
    public let starts: Int
    public let next: [Node]
    /// How many paths ended before their depth although their window reaches beyond the end of the data; backwards, beyond its beginning.
    public let windowOpen: Int
    public let input: InputQuality
    /// The name of the start, if no event had it.
    public let unseenName: UnseenName?
}
