/// What comes after an event and where it ends, or what came before it and where that began.
public struct EventPaths: Sendable, Hashable {
    /// What stands at a node.
    public enum Place: Sendable, Hashable {
        case event(name: String)
        /// Nothing came any more within the window; backwards, nothing came before.
        case end
        /// Events that are too rare to be listed by name, and how many different names they have.
        case other(names: Int)
    }

    /// One node that paths lead to, and what comes beyond it.
    public struct Node: Sendable, Hashable {
        public let place: Place
        /// Paths that come through here.
        public let count: Int
        /// Shares of all starts and of the node one step nearer to the start, 0…1.
        public let ofStarts: Double
        public let ofPrevious: Double
        /// Time between this event and the node one step nearer to the start; `nil` for an end.
        public let fromPrevious: Distribution?
        /// The most frequent first, then by name; then `(other)`, then `(end)`. Empty at the last depth and after these two.
        public let next: [Node]
    }

    public let definition: PathsDefinition
    /// Paths that began: with ``PathsDefinition/Count/users`` one for each key.
    public let starts: Int
    public let next: [Node]
    /// Paths that ended before their depth, and whose window reaches beyond the end of the data; backwards, beyond its beginning.
    public let windowOpen: Int
    public let input: InputQuality
    /// The name of the start, if no event had it.
    public let unseenName: UnseenName?
}
