/// Why an event is not in the file.
public enum DropReason: String, Sendable, CaseIterable {
    /// The ring was full, storage working.
    case overflow
    /// The ring was full while storage failed, or storage failed until closing, or what was written is lost.
    case storage
    /// The line would have been longer than a line may be.
    case tooLarge = "too_large"
    /// The event came after the writer was closed, or in a forked child.
    case closed
    /// Somebody had a person's events removed (`looptrail forget`).
    case forgotten
}
