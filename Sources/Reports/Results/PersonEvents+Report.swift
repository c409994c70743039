import Basics
public import EventFiles
import TrackingEvents

extension PersonEvents: Reportable {
    public var section: ReportSection {
        let table = { @Sendable () -> ReportTable in
            ReportTable(
                "Everything about the person, in the order of time", of: events,
                [
                    .init("Time", "time") { .moment($0.timeMilliseconds) }, .init("Event", "name") { .data($0.name) },
                    .init("User", "user") { .data($0.user) },
                    .init("Session", "session") { $0.session.isEmpty ? .none : .data($0.session) },
                    .init("Number", "seq") { $0.sequence == 0 ? .none : .count(Int(clamping: $0.sequence)) },
                    .init("Line", "line") { .data($0.text) },
                ])
        }
        return ReportSection(
            kind: "user", title: "One user",
            highlights: [ReportFact("Lines", .count(events.count)), ReportFact("Anonymous ids joined", .count(ids.aliases.count))],
            makeRecords: table, makeFigures: { [ReportFigure(title: "Events", table: table())] }, quality: [])
    }

    public func lines(in table: TableReport) -> [String] {
        let rows = events.map { event in
            [
                DateFormat.second(event.timeMilliseconds, in: table.style.zone), table.shown(event.name), table.shown(event.user),
                table.shown(event.session), event.sequence == 0 ? "" : String(event.sequence), table.shown(event.properties),
            ]
        }
        var lines = table.columns(["time (\(table.style.zone.name))", "event", "user", "session", "seq", "props"], rows, rightAligned: [4])
        if rows.isEmpty { lines = ["no lines"] }
        if !ids.aliases.isEmpty { lines.append("with \(ids.aliases.map { table.shown($0) }.joined(separator: ", "))") }
        return lines + [GroupedNumber.counted(events.count, "line")]
    }

    public func text(in json: JSONReport) -> String {
        // A line that another writer left broken would break the document, so it stays a text there.
        let events = JSONRows(events.map { event -> any JSONWritable in event.json.map { WrittenJSON($0) } ?? event.text })
        return json.document(["key": ids.ids.first, "aliases": ids.aliases], ["events": events])
    }

    /// The lines as they stand in the files.
    public var ndjson: [UInt8] { events.flatMap { $0.line + [UInt8(ascii: "\n")] } }
}

extension PersonEvents.Event {
    /// The line as text; what is no UTF-8 becomes U+FFFD.
    fileprivate var text: String { String(decoding: line, as: UTF8.self) }

    /// The line as JSON without characters that act on a terminal; `nil` if it is not JSON throughout.
    fileprivate var json: String? {
        guard line.withUnsafeBytes({ (try? EventLineScanner(.wholeLine).scan($0)) != nil }) else { return nil }
        // Between values JSON has only white space of its own, so such characters stand inside texts.
        return text.replacingScalars { scalar in
            guard TerminalText.acts(scalar), scalar.value > 0x20 else { return scalar == "\r" || scalar == "\t" ? "" : nil }
            return String(scalar).utf16.map { "\\u" + Hexadecimal.text(UInt64($0), digits: 4) }.joined()
        }
    }
}
