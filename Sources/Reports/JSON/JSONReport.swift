import Basics
import Funnels

/// Reports for programs: fixed keys in a fixed order, units in the keys' names, rates from 0 to 1, `null` where there is no number.
public struct JSONReport: ReportFormat {
    public init() {}

    public var name: String { "json" }
    public var fileExtensions: [String] { ["json"] }

    /// The document's version. A key is never removed or retyped within one.
    static let schema = 1

    func document(_ members: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter(escaping: TerminalText.acts)
        writer.object { writer in
            writer.member("schema", Self.schema)
            members(&writer)
        }
        writer.endLine()
        return writer.text
    }

    func write(_ input: InputQuality, to writer: inout JSONWriter) {
        writer.key("input")
        writer.object { writer in
            writer.member("files", input.files)
            writer.member("bytes", input.bytes)
            writer.member("events", input.events)
            writer.member("bad_lines", input.badLines)
            writer.member("duplicates", input.duplicates)
            writer.member("without_key", input.withoutKey)
            writer.member("damaged_members", input.damagedMembers)
            writer.member("sequence_gaps", input.sequenceGaps)
        }
    }
}
