import Basics

/// Reports for programs: fixed keys in a fixed order, units in the keys' names, rates from 0 to 1, `null` where there is no number.
///
/// One result is its own document. Several are `{"schema":1,"title":…,"matters":[…],"reports":[{"kind":…,"title":…,"result":{…}}]}`, each result
/// just as it is by itself.
public struct JSONReport: ReportFormat {
    public init() {}

    public var name: String { "json" }
    public var fileExtensions: [String] { ["json"] }

    /// The document's version. A key is never removed or retyped within one.
    private static let schema = 1

    public func write(_ document: ReportDocument, to sink: inout ReportSink) {
        guard let title = document.title else { return document.results.forEach { sink.write($0.text(in: self)) } }
        let text = self.document { writer in
            writer.line(["title": title])
            writer.line(["matters": JSONRows(ReportMatter.all(of: document.results.map(\.section))) { $0.json }])
            writer.line([
                "reports": JSONRows(document.results) { result in
                    let section = result.section
                    return ["kind": section.kind, "title": section.title, "result": WrittenJSON(text: result.text(in: self))]
                }
            ])
        }
        sink.write(text)
    }

    /// An object that begins with the document's version.
    func document(_ fields: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter(escaping: TerminalText.acts)
        writer.object { writer in
            writer.member("schema", Self.schema)
            fields(&writer)
        }
        writer.endLine()
        return writer.text
    }
}

/// A value that is JSON already.
private struct WrittenJSON: JSONValue {
    let text: String

    func write(to writer: inout JSONWriter) { writer.raw(text) }
}
