/// A command line that makes no sense: what is wrong with it, and what would be right.
struct UsageError: Error, Sendable, Hashable {
    let message: String
    /// Lines to show below the message.
    let detail: String?

    init(_ message: String, detail: String? = nil) { (self.message, self.detail) = (message, detail) }
}
