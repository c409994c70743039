public import Funnels

extension TableReport {
    public func text(of properties: PropertyCatalogue) -> String {
        var lines = heading(properties)
        if properties.keys.isEmpty {
            if properties.events > 0 { lines.append("no properties") }
        } else {
            // Values come last, so that a narrow terminal cuts them and not the numbers.
            let rows = properties.keys.map { row($0, of: properties.events) }
            lines += columns(["property", "share", "types", "distinct", "range", "top values"], rows, rightAligned: [1, 3])
                .map { line in style.width.map { TerminalText.cut(line, to: $0, ellipsis: style.ellipsis) } ?? line }
        }
        if properties.hasMoreKeys {
            lines.append("Only the first \(number(PropertyCatalogue.keyLimit)) properties are told apart; there are more.")
        }
        lines += inputLines(properties.input, key: "user")
        return lines.map { $0 + "\n" }.joined()
    }

    private func heading(_ properties: PropertyCatalogue) -> [String] {
        let title = shown(properties.name)
        var pieces: [(text: String, gap: String)] = [(title, ""), (NumberFormat.counted(properties.events, "event"), "   ")]
        if let times = times(properties.range, what: "events") {
            pieces[pieces.count - 1].text += ","
            pieces.append((times, " "))
        }
        if let range = range(properties.input) { pieces.append((range, "     ")) }
        return titled(style.flow(pieces), title)
    }

    /// The lines with the title at their beginning in bold.
    func titled(_ lines: [String], _ title: String) -> [String] {
        guard let first = lines.first else { return lines }
        return [style.bold(title) + first.dropFirst(title.count)] + lines.dropFirst()
    }

    /// `events since 2026-01-01 00:00:00`; `nil` for all times.
    func times(_ range: TimeRange, what: String) -> String? { times(range.since, range.until, what: what) }

    func times(_ since: Int64?, _ until: Int64?, what: String) -> String? {
        switch (since, until) {
        case (nil, nil): nil
        case (let since?, nil): "\(what) since \(DateFormat.exact(since, in: style.zone))"
        case (nil, let until?): "\(what) until \(DateFormat.exact(until, in: style.zone))"
        case (let since?, let until?):
            "\(what) \(DateFormat.exact(since, in: style.zone)) \(style.dash) \(DateFormat.exact(until, in: style.zone))"
        }
    }

    private func row(_ key: PropertyCatalogue.Key, of events: Int) -> [String] {
        let kinds = PropertyCatalogue.Kind.allCases.filter { key.kinds[$0] != nil }
        let types = kinds.map { kind in
            let count = key.kinds[kind] ?? 0
            return kinds.count == 1 ? kind.rawValue : "\(kind.rawValue) \(NumberFormat.percent(Double(count) / Double(key.present)))"
        }
        let hasValues = kinds.contains { ![.null, .object, .array].contains($0) }
        let distinct = hasValues ? (key.isDistinctExact ? "" : "~") + number(key.distinct) : ""
        var range = ""
        if let minimum = key.minimum, let maximum = key.maximum { range = "\(plain(minimum)) \(style.dash) \(plain(maximum))" }
        // Of values that occur once each, none is frequent.
        let top = key.top.filter { $0.count > 1 || key.distinct <= key.top.count }.map { value in
            "\(shown(value.text, atMost: 24)) (\(key.areTopExact ? "" : style.atLeast)\(number(value.count)))"
        }
        return [
            shown(key.title, atMost: 40), NumberFormat.percent(Double(key.present) / Double(events)), types.joined(separator: ", "),
            distinct,
            range, top.joined(separator: ", "),
        ]
    }

    /// A number from data, as short as it can be written.
    private func plain(_ number: Double) -> String {
        if let whole = Int64(exactly: number), whole.magnitude < 1_000_000_000_000 { return NumberFormat.count(whole, minus: style.minus) }
        return "\(number)".replacingMinus(with: style.minus)
    }
}

extension TextStyle {
    var atLeast: String { isASCII ? ">=" : "≥" }
}

extension String {
    fileprivate func replacingMinus(with minus: String) -> String { hasPrefix("-") ? minus + dropFirst() : self }
}
