import Basics
import Funnels

/// A funnel's steps: as rows for programs, as a table for people, on a terminal, in JSON.
extension FunnelResult {
    /// All that is known of a step. A row without a group is of everybody.
    private static let columns: [ReportTable.Column] =
        [
            .init("Group", key: "group"), .init("Step", key: "step"), .init("Name", key: "name"), .init("Filter", key: "filter"),
            .init("Optional", key: "optional"), .init("Count", key: "count"), .init("Of step 1", key: "of_first"),
            .init("Of step before", key: "of_previous"), .init("Lost", key: "dropped"),
        ] + times("from_previous", "From step before") + times("from_first", "From step 1") + [
            .init("Of step 1, 95 % from", key: "of_first_ci95_lower"), .init("to", key: "of_first_ci95_upper"),
            .init("Of step before, 95 % from", key: "of_previous_ci95_lower"), .init("to", key: "of_previous_ci95_upper"),
        ]

    fileprivate static func times(_ key: String, _ title: String) -> [ReportTable.Column] {
        [
            .init("\(title), n", key: "\(key)_n"), .init("\(title), mean", key: "\(key)_mean_ms"),
            .init("\(title), p50", key: "\(key)_p50_ms"), .init("\(title), p90", key: "\(key)_p90_ms"),
            .init("\(title), p99", key: "\(key)_p99_ms"),
        ]
    }

    /// One row a step, of everybody and then of each group.
    var records: ReportTable {
        ReportTable(
            "One row a step", columns: Self.columns,
            rows: rows(of: steps, group: .none) + orderedGroups.flatMap { rows(of: $0.steps, group: .data($0.value)) })
    }

    private func rows(of steps: [Step], group: ReportValue) -> [[ReportValue]] {
        steps.map { step in
            let defined = definition.steps[step.index - 1]
            let head: [ReportValue] = [
                group, .count(step.index), .data(defined.pattern.title), .data(defined.pattern.filter),
                .flag(defined.isOptional), .count(step.count), .share(step.ofFirst), .share(step.ofPrevious), .count(step.dropped),
            ]
            let (ofFirst, ofPrevious) = (share(ofFirst: step, in: steps).interval, share(ofPrevious: step, in: steps).interval)
            return head + values(step.fromPrevious) + values(step.fromFirst) + [
                .share(ofFirst?.lower), .share(ofFirst?.upper), .share(ofPrevious?.lower), .share(ofPrevious?.upper),
            ]
        }
    }

    private func values(_ times: Distribution?) -> [ReportValue] {
        guard let times else { return Array(repeating: .none, count: 5) }
        return [.count(times.n), .duration(times.mean), .duration(times.p50), .duration(times.p90), .duration(times.p99)]
    }

    /// The steps as people want them: as wide as a page.
    var stepTable: ReportTable {
        ReportTable(
            "How many took each step, and how long it took them from the step before",
            columns: [
                .init("Step", key: "step"), .init("Event", key: "name"), .init("Count", key: "count"),
                .init("Of step 1", key: "of_first"), .init("95 %", key: "of_first_ci95"), .init("Of step before", key: "of_previous"),
                .init("Lost", key: "dropped"), .init("Median time", key: "from_previous_p50_ms"), .init("p90", key: "from_previous_p90_ms"),
            ],
            rows: steps.map { step in
                [
                    .count(step.index), .data(definition.steps[step.index - 1].description), .count(step.count), .share(step.ofFirst),
                    step.index == 1 ? .none : .interval(share(ofFirst: step, in: steps).interval),
                    step.index == 1 ? .none : .share(step.ofPrevious), step.index == 1 ? .none : .count(step.dropped),
                    step.fromPrevious.map { .duration($0.p50) } ?? .none, step.fromPrevious.map { .duration($0.p90) } ?? .none,
                ]
            })
    }

    /// One row a step, with as many of its columns as the width leaves room for.
    func stepLines(in table: TableReport) -> [String] {
        let names = steps.map { name(of: definition.steps[$0.index - 1], table) }
        let counts = steps.map { table.number($0.count) }
        let drops = steps.map { $0.index == 1 ? "" : $0.dropped == 0 ? "0" : table.style.minus + table.number($0.dropped) }
        let shares = steps.map { step in
            step.index == 1
                ? ""
                : "\(step.ofPrevious.map(NumberFormat.percent) ?? table.style.dash) of step \(definition.requiredStep(before: step.index - 1) + 1)"
        }
        let medians = steps.map { $0.fromPrevious.map { "p50 \(NumberFormat.duration($0.p50))" } ?? "" }
        let times = zip(steps, medians).map { step, median -> String in
            let padded = TerminalText.padded(median, to: TerminalText.widest(medians))
            return step.fromPrevious.map { "\(padded)  p90 \(NumberFormat.duration($0.p90))" } ?? ""
        }
        let layout = RowLayout(
            style: table.style, names: TerminalText.widest(names), counts: TerminalText.widest(counts),
            drops: TerminalText.widest(drops), shares: TerminalText.widest(shares), times: TerminalText.widest(times))
        return steps.indices.map { row in
            layout.row(
                index: row + 1, name: names[row], count: counts[row], share: steps[row].ofFirst, drop: drops[row],
                ofPrevious: shares[row], times: times[row])
        } + table.notShown(layout.hidden)
    }

    /// The name, its filter and a mark of what is optional.
    private func name(of step: FunnelStep, _ table: TableReport) -> String {
        let name = table.shown(step.pattern.title)
        let filter = step.pattern.filter.map { "[\(table.shown($0, atMost: 40))]" } ?? ""
        return name + filter + (step.isOptional ? "?" : "")
    }

    /// A step in JSON, of everybody or of a group.
    func json(_ step: Step, _ defined: FunnelStep, in steps: [Step]) -> JSONObject {
        [
            "index": step.index, "name": defined.pattern.title, "count": step.count, "of_first": step.ofFirst,
            "of_previous": step.ofPrevious, "dropped": step.dropped, "from_previous_ms": step.fromPrevious, "from_first_ms": step.fromFirst,
            "of_first_ci95": share(ofFirst: step, in: steps).interval, "of_previous_ci95": share(ofPrevious: step, in: steps).interval,
        ]
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
    /// What the width left no room for.
    private(set) var hidden: [String] = []
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
        if bar == 0 { hidden.append("bars") }
        if !showsDrops && drops > 0 { hidden.append("lost") }
        if !showsShares && shares > 0 { hidden.append("share of the step before") }
        if !showsTimes && times > 0 { hidden.append("times") }
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
