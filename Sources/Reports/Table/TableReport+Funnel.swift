public import Funnels

extension TableReport {
    public func text(of funnel: FunnelResult) -> String {
        var lines = heading(funnel)
        lines += bars(funnel)
        lines += overall(funnel)
        lines += groupLines(funnel)
        lines += inputLines(funnel.input, key: keyName(funnel.definition.key))
        return lines.map { $0 + "\n" }.joined()
    }

    /// Name, who was counted and how, and of what time.
    private func heading(_ funnel: FunnelResult) -> [String] {
        let definition = funnel.definition
        let title = shown(definition.name ?? "Funnel")
        var pieces: [(text: String, gap: String)] = [
            (title, ""), (entered(funnel) + ",", "   "),
            (
                "window \(DurationText.exact(definition.windowMilliseconds)) from \(definition.order == .any ? "the earliest" : "step 1"),",
                " "
            ),
        ]
        let rest =
            modes(definition) + ["same-millisecond events in any order"]
            + [times(definition.since, definition.until, what: "starts")].compactMap(\.self)
        pieces += rest.dropLast().map { ($0 + ",", " ") } + rest.suffix(1).map { ($0, " ") }
        if let range = range(funnel.input) { pieces.append((range, "     ")) }
        return titled(style.flow(pieces), title)
    }

    private func entered(_ funnel: FunnelResult) -> String {
        if funnel.definition.counting == .attempts {
            return "\(NumberFormat.counted(funnel.entered, "attempt")) by \(keyName(funnel.definition.key))"
        }
        return counted(funnel.entered, by: funnel.definition.key)
    }

    private func keyName(_ key: FunnelKey) -> String { shown(key.description) }

    /// How the steps had to follow each other, and whatever else was asked for.
    private func modes(_ definition: FunnelDefinition) -> [String] {
        // No text from people may fill a line by itself.
        let room = min(max((style.width ?? 200) - 22, 8), 60)
        var modes = [definition.order.rawValue]
        if let stepWindow = definition.stepWindowMilliseconds {
            modes.append("at most \(DurationText.exact(stepWindow)) from step to step")
        }
        if let hold = definition.hold { modes.append("one value of \(shown(PropertyPath.text(hold), atMost: room))") }
        modes += definition.exclusions.map { exclusion in
            // Without its mark, which the words stand for.
            let event = FunnelExclusion(exclusion.pattern, steps: exclusion.steps).description
            return (exclusion.spoils ? "without users of " : "ended by ") + shown(event, atMost: room)
        }
        if !definition.identify { modes.append("anonymous ids not joined") }
        if let compat = definition.compat { modes.append("as \(compat.description) counts") }
        return modes
    }

    /// One row a step, with as many of its columns as the width leaves room for.
    private func bars(_ funnel: FunnelResult) -> [String] {
        let names = funnel.steps.map { stepName(funnel.definition.steps[$0.index - 1]) }
        let counts = funnel.steps.map { number($0.count) }
        let drops = funnel.steps.map { $0.index == 1 ? "" : $0.dropped == 0 ? "0" : style.minus + number($0.dropped) }
        let shares = funnel.steps.map { step in
            step.index == 1
                ? ""
                : "\(step.ofPrevious.map(NumberFormat.percent) ?? style.dash) of step \(funnel.definition.requiredStep(before: step.index - 1) + 1)"
        }
        let medians = funnel.steps.map { $0.fromPrevious.map { "p50 \(NumberFormat.duration($0.p50))" } ?? "" }
        let times = zip(funnel.steps, medians).map { step, median in
            step.fromPrevious.map { "\(TerminalText.padded(median, to: widest(medians)))  p90 \(NumberFormat.duration($0.p90))" } ?? ""
        }
        let layout = RowLayout(
            style: style, names: widest(names), counts: widest(counts), drops: widest(drops), shares: widest(shares), times: widest(times))
        return funnel.steps.indices.map { row in
            layout.row(
                index: row + 1, name: names[row], count: counts[row], share: funnel.steps[row].ofFirst, drop: drops[row],
                ofPrevious: shares[row], times: times[row])
        }
    }

    /// The name, its filter and a mark of what is optional.
    private func stepName(_ step: FunnelStep) -> String {
        let name = shown(step.pattern.title)
        let filter = step.pattern.filter.map { "[\(shown($0, atMost: 40))]" } ?? ""
        return name + filter + (step.isOptional ? "?" : "")
    }

    private func widest(_ texts: [String]) -> Int { texts.map(TerminalText.width(of:)).max() ?? 0 }

    private func overall(_ funnel: FunnelResult) -> [String] {
        guard let rate = funnel.rate else { return ["Overall \(style.dash): nothing matched step 1"] }
        var pieces: [(text: String, gap: String)] = [("Overall \(NumberFormat.percent(rate))", "")]
        func add(_ text: String) { pieces.append(("\(style.dot) \(text)", " ")) }
        if let time = funnel.timeToConvert { add("median \(NumberFormat.duration(time.p50))") }
        if let loss = funnel.largestLoss { add("largest loss at step \(loss.index) (\(style.minus)\(number(loss.dropped)))") }
        if funnel.windowOpen > 0 { add("\(number(funnel.windowOpen)) still in their window") }
        return style.flow(pieces)
    }
}

/// Where the columns of a funnel's rows stand. On a narrow terminal the bar shrinks first; then the times go, then the share of
/// the step before, then the bar, and at last names are cut.
private struct RowLayout {
    let style: TextStyle
    let names: Int
    let counts: Int
    let drops: Int
    let bar: Int
    let showsDrops: Bool
    let showsShares: Bool
    let showsTimes: Bool
    private let shares: Int

    static let widestBar = 40
    static let narrowestBar = 8

    init(style: TextStyle, names: Int, counts: Int, drops: Int, shares: Int, times: Int) {
        self.style = style
        self.counts = counts
        self.drops = drops
        self.shares = shares
        // ` 1 name  count  100.0%` and then `  bar`, `  drop`, `   share`, `   times`.
        let fixed = 3 + 2 + counts + 2 + 6
        let room = (style.width ?? .max / 2) - fixed
        self.names = min(names, max(room, 4))
        let free = room - self.names
        let withDrops = drops > 0 ? drops + 2 : 0
        let withShares = withDrops + (shares > 0 ? shares + 3 : 0)
        let withTimes = withShares + (times > 0 ? times + 3 : 0)
        let least = Self.narrowestBar + 2
        showsTimes = free >= withTimes + least
        showsShares = free >= withShares + least
        showsDrops = free >= withDrops
        let taken = showsTimes ? withTimes : showsShares ? withShares : showsDrops ? withDrops : 0
        let left = min(free - taken - 2, Self.widestBar)
        bar = left >= Self.narrowestBar ? left : 0
    }

    func row(index: Int, name: String, count: String, share: Double?, drop: String, ofPrevious: String, times: String) -> String {
        var row = TerminalText.rightAligned(String(index), in: 2) + " "
        row += TerminalText.padded(TerminalText.cut(name, to: names, ellipsis: style.ellipsis), to: names) + "  "
        row += TerminalText.rightAligned(count, in: counts) + "  "
        row += TerminalText.rightAligned(share.map(NumberFormat.percent) ?? style.dash, in: 6)
        // Each column pads the one before it, so that no row ends in blanks.
        var pending = ""
        func add(_ text: String, width: Int, gap: String, paint: (String) -> String = { $0 }) {
            if !text.isEmpty {
                row += pending + gap + paint(text)
                pending = ""
            }
            pending += String(repeating: " ", count: text.isEmpty ? width + gap.count : max(0, width - TerminalText.width(of: text)))
        }
        if bar > 0 { add(style.bar(share ?? 0, columns: bar), width: bar, gap: "  ", paint: style.cyan) }
        if showsDrops, !drop.isEmpty {
            add(TerminalText.rightAligned(drop, in: drops), width: drops, gap: "  ", paint: style.red)
        }
        if showsShares { add(ofPrevious, width: shares, gap: "   ") }
        if showsTimes { add(times, width: 0, gap: "   ", paint: style.faint) }
        return row
    }
}
