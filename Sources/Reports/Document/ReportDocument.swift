/// What a format writes down: one result by itself, or several under a title.
public struct ReportDocument: Sendable {
    /// From data or people, as it is; `nil` for one result by itself.
    public let title: String?
    /// In the order in which they are shown.
    public let results: [any Reportable]

    /// One result by itself.
    public init(_ result: any Reportable) {
        title = nil
        results = [result]
    }

    /// Several results on one page.
    public init(title: String, results: [any Reportable]) {
        self.title = title
        self.results = results
    }
}
