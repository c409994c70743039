public import Funnels

extension TableReport {
    public func text(of catalogue: EventCatalogue) -> String {
        let rows = catalogue.entries.map { entry in
            [
                shown(entry.name), number(entry.count), number(entry.users), DateFormat.second(entry.firstMilliseconds, in: style.zone),
                DateFormat.second(entry.lastMilliseconds, in: style.zone),
            ]
        }
        var lines = columns(
            ["event", "count", "users", "first seen (\(style.zone.name))", "last seen (\(style.zone.name))"], rows, rightAligned: [1, 2])
        if rows.isEmpty { lines = ["no events"] }
        if let times = times(catalogue.range, what: "events") { lines.insert(times, at: 0) }
        let others = catalogue.metaLines + catalogue.timingLines
        if others > 0 {
            lines.append(
                "besides: \(NumberFormat.counted(catalogue.metaLines, "meta line")), "
                    + NumberFormat.counted(catalogue.timingLines, "timing line"))
        }
        lines += inputLines(catalogue.input, key: "user")
        return lines.map { $0 + "\n" }.joined()
    }
}
