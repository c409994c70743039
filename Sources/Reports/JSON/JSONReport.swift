import Basics
import Funnels

/// Reports for programs: fixed keys in a fixed order, units in the keys' names, rates from 0 to 1, `null` where there is no number.
///
/// One result is its own document. Several are `{"schema":1,"title":…,"reports":[{"kind":…,"title":…,"result":{…}}]}`, each result
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
        sink.write(text)
    }

    /// An object that begins with the document's version.
    func document(_ members: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter(escaping: TerminalText.acts)
        writer.object { writer in
            writer.member("schema", Self.schema)
            members(&writer)
        }
        writer.endLine()
        return writer.text
    }
}

extension JSONWriter {
    mutating func member(_ name: StaticString, _ times: Distribution?) {
        key(name)
        guard let times else { return null() }
        object { writer in
            writer.member("n", times.n)
            writer.member("mean", times.mean)
            writer.member("p50", times.p50)
            writer.member("p90", times.p90)
            writer.member("p99", times.p99)
        }
    }
}
