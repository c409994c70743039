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

    public func bytes(of document: ReportDocument) -> [UInt8] {
        guard let title = document.title else { return document.results.flatMap { Array($0.text(in: self).utf8) } }
        let reports = JSONRows(document.results) { result in
            let section = result.section
            return ["kind": section.kind, "title": section.title, "result": WrittenJSON(text: result.text(in: self))]
        }
        let matters = JSONRows(ReportMatter.all(of: document.results.map(\.section))) { $0.json }
        return Array(self.document(["title": title], ["matters": matters], ["reports": reports]).utf8)
    }

    /// An object that begins with the document's version; a line that is `nil` is left out.
    func document(beside version: JSONObject = [:], _ lines: JSONObject?...) -> String { document(beside: version, lines) }

    func document(beside version: JSONObject = [:], _ lines: [JSONObject?]) -> String {
        Self.line(JSONObjectLines([["schema": Self.schema] + version] + lines))
    }

    /// An object and a line feed.
    static func line(_ object: some JSONValue) -> String {
        var writer = JSONWriter(escaping: TerminalText.acts)
        object.write(to: &writer)
        writer.endLine()
        return writer.text
    }
}
