/// What a format writes down: one result by itself, or several under a title.
public struct ReportDocument: Sendable {
    /// From data or people, as it is; `nil` for one result by itself.
    public let title: String?
    /// In the order in which they are shown.
    public let results: [any Reportable]

    /// The findings that hold and matter most, at most three, each behind its result's title. Titles and subjects are from data.
    package var matters: [String] {
        ReportMatter.all(of: results.map(\.section)).map { matter in
            let subject = matter.finding.subject.map { TerminalText.visible($0) + " " } ?? ""
            return "\(TerminalText.visible(matter.title)): \(subject)\(matter.finding.words)"
        }
    }

    /// One result by itself.
    public init(_ result: any Reportable) { (title, results) = (nil, [result]) }

    /// Several results on one page.
    public init(title: String, results: [any Reportable]) { (self.title, self.results) = (title, results) }
}
