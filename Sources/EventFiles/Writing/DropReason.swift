/// Why an event is not in the file.
public enum DropReason: String, Sendable, CaseIterable {
    /// The ring was full, storage working.
    case overflow
    /// The ring was full while storage failed, or storage failed to the end, or took away what was written.
    case storage
    /// The line would have been longer than a line may be.
    case tooLarge = "too_large"
    /// The event came after the writer was closed.
    case closed
}
