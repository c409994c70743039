public import Funnels

extension TableReport {
    public func text(of timings: TimingCatalogue) -> String {
        let hasSystems = timings.entries.contains { $0.system != nil }
        var heading = ["event", "phase", "count", "p50", "p90", "p99", "max", "mean", "all together"]
        var rows: [[String]] = []
        var above: TimingCatalogue.Entry?
        for entry in timings.entries where entry.tookTime {
            let isFirst = above?.event != entry.event || above?.system != entry.system
            above = entry
            var row = [isFirst ? shown(entry.event) : "", shown(entry.phase, atMost: 20), NumberFormat.count(Int64(clamping: entry.count))]
            row += [entry.p50, entry.p90, entry.p99, entry.maximum, entry.mean, entry.total].map(time)
            if hasSystems { row.insert(isFirst ? shown(entry.system ?? "", atMost: 20) : "", at: 1) }
            rows.append(row)
        }
        if hasSystems { heading.insert("system", at: 1) }
        let texts = hasSystems ? 3 : 2
        var lines = rows.isEmpty ? ["no timings"] : columns(heading, rows, rightAligned: Set(texts..<heading.count))
        if let times = times(timings.range, what: "timings") { lines.insert(times, at: 0) }
        lines += remarks(timings)
        lines += inputLines(timings.input, key: "user")
        return lines.map { $0 + "\n" }.joined()
    }

    private func remarks(_ timings: TimingCatalogue) -> [String] {
        var lines: [String] = []
        if timings.leftOut > 0 { lines.append("left out: \(NumberFormat.counted(timings.leftOut, "more event")), which took less time") }
        var told = "from \(NumberFormat.counted(timings.lines, "timing line"))"
        if let system = timings.system { told += " of \(shown(system))" }
        if let first = timings.firstMilliseconds, let last = timings.lastMilliseconds {
            let (from, to) = (DateFormat.second(first, in: style.zone), DateFormat.second(last, in: style.zone))
            told += ", \(from == to ? from : "\(from) \(style.dash) \(to)") \(style.zone.name)"
        }
        lines.append(told)
        if timings.unreadableLines > 0 {
            lines.append(style.red("\(NumberFormat.counted(timings.unreadableLines, "timing line")) could not be understood"))
        }
        return lines
    }

    private func time(_ nanoseconds: UInt64) -> String {
        NumberFormat.nanoseconds(nanoseconds, micro: style.isASCII ? "u" : "µ")
    }
}
