public import Funnels

extension TableReport {
    public func text(of paths: EventPaths) -> String {
        var lines = heading(paths)
        if paths.starts == 0 {
            lines.append("no paths: nothing to start from")
        } else {
            let rows = rows(paths.next, indent: "")
            lines += tree(rows)
            if paths.windowOpen > 0 {
                lines.append("\(number(paths.windowOpen)) of those that ended are still in their window")
            }
        }
        lines += inputLines(paths.input, key: shown(paths.definition.key.description))
        return lines.map { $0 + "\n" }.joined()
    }

    private func heading(_ paths: EventPaths) -> [String] {
        let definition = paths.definition
        let title = "After \(shown(definition.from))"
        let who =
            definition.count == .users
            ? counted(paths.starts, by: definition.key)
            : "\(NumberFormat.counted(paths.starts, "start")) by \(shown(definition.key.description))"
        let which = definition.count == .users ? "from the first of each" : "from every one"
        var pieces: [(text: String, gap: String)] = [
            (title, ""), (who + ",", "   "), ("\(which),", " "),
            ("within \(DurationText.exact(definition.windowMilliseconds))", " "),
        ]
        func add(_ text: String) {
            pieces[pieces.count - 1].text += ","
            pieces.append((text, " "))
        }
        if definition.mergesRepeats { add("repeats merged") }
        if let times = times(definition.range, what: "starts") { add(times) }
        if let range = range(paths.input) { pieces.append((range, "     ")) }
        return titled(style.flow(pieces), title)
    }

    private struct PathRow {
        var name: String
        var node: EventPaths.Node
    }

    private func rows(_ nodes: [EventPaths.Node], indent: String) -> [PathRow] {
        nodes.flatMap { node in
            var name = shown(node.place.title)
            if case .other(let names) = node.place { name = "(other: \(NumberFormat.counted(names, "event")))" }
            return [PathRow(name: indent + name, node: node)] + rows(node.next, indent: indent + "  ")
        }
    }

    /// One row a place, what comes after it set in below. The bar shrinks first, then the times go, then the share of the place before.
    private func tree(_ rows: [PathRow]) -> [String] {
        let counts = rows.map { number($0.node.count) }
        let times = rows.map { row in
            row.node.fromPrevious.map { "p50 \(NumberFormat.duration($0.p50))  p90 \(NumberFormat.duration($0.p90))" } ?? ""
        }
        func widest(_ texts: [String]) -> Int { texts.map(TerminalText.width(of:)).max() ?? 0 }
        let countWidth = widest(counts)
        let fixed = 2 + countWidth + 2 + 6
        let room = max((style.width ?? .max / 2) - fixed, 4)
        let nameWidth = min(widest(rows.map(\.name)), room)
        var free = room - nameWidth
        let before = "  100.0% of those before"
        let showsBefore = free >= before.count
        if showsBefore { free -= before.count }
        let showsTimes = free >= widest(times) + 3
        if showsTimes { free -= widest(times) + 3 }
        let bar = min(free - 2, 30) >= 8 ? min(free - 2, 30) : 0
        return zip(rows, zip(counts, times)).map { row, texts in
            let node = row.node
            let name = TerminalText.cut(row.name, to: nameWidth, ellipsis: style.ellipsis)
            let padded = TerminalText.padded(name, to: nameWidth)
            var line = node.place == .end ? style.faint(padded) : padded
            line += "  " + TerminalText.rightAligned(texts.0, in: countWidth)
            line += "  " + TerminalText.rightAligned(NumberFormat.percent(node.ofStarts), in: 6)
            if bar > 0 {
                let drawn = style.bar(node.ofStarts, columns: bar)
                line += "  " + style.cyan(drawn) + String(repeating: " ", count: bar - TerminalText.width(of: drawn))
            }
            if showsBefore { line += "  " + TerminalText.rightAligned(NumberFormat.percent(node.ofPrevious), in: 6) + " of those before" }
            if showsTimes && !texts.1.isEmpty { line += "   " + style.faint(texts.1) }
            while line.hasSuffix(" ") { line.removeLast() }
            return line
        }
    }
}
