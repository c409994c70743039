/// What the thread writes of one lane in one go: everything that stood there at its beginning, or whole members of it.
struct Batch {
    /// What one member of a file holds.
    struct Member {
        /// Valid until the next member is taken.
        let raw: UnsafeBufferPointer<UInt8>
        let events: Int
    }

    let lane: Lane
    /// The position that ends it.
    let end: Int
    /// Whether lines that fill no member wait for more.
    let fullMembersOnly: Bool
}
