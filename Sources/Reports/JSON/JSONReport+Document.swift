import Basics

extension JSONReport {
    /// One result as its own document; several as `{"schema":1,"title":…,"reports":[{"kind":…,"title":…,"result":{…}}]}`, each
    /// result just as it is by itself.
    public func text(of document: ReportDocument) -> String {
        guard let title = document.title else { return document.results.map { $0.text(in: self) }.joined() }
        return self.document { writer in
            writer.breakLine(" ")
            writer.member("title", title)
            writer.breakLine(" ")
            writer.key("reports")
            writer.array(document.results, onePerLine: true) { writer, result in
                let section = result.section
                writer.object { writer in
                    writer.member("kind", section.kind)
                    writer.member("title", section.title)
                    writer.key("result")
                    writer.raw(result.text(in: self))
                }
            }
        }
    }
}
