/// A sentence about a result that holds: who differs, and by how much.
public struct ReportFinding: Sendable, Hashable {
    /// Whom the sentence is about, from data; `nil` where the words say it.
    public let subject: String?
    /// The rest of the sentence, words of ours, with its full stop.
    public let words: String
    /// Whether it says that something differs; else that nothing can be shown.
    public let isDifference: Bool

    public init(_ words: String, of subject: String? = nil, isDifference: Bool = true) {
        self.subject = subject
        self.words = words
        self.isDifference = isDifference
    }
}
