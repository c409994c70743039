extension TableReport {
    /// One result as its own table; several one below the other, a blank line between.
    public func text(of document: ReportDocument) -> String {
        var parts = document.results.map { $0.text(in: self) }
        if let title = document.title { parts.insert(style.bold(shown(title, atMost: style.width ?? 200)) + "\n", at: 0) }
        return parts.joined(separator: "\n")
    }
}
