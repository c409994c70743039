import Basics
import LoopCore

extension Measurements {
    /// The measurements as a table for people: a row for each event and phase, the events with the largest total time first.
    ///
    /// ```
    /// event        phase       count       p50       p90       p99       max      mean
    /// openProduct  queue wait  1,204     41 ns     82 ns    184 ns    512 ns     46 ns
    ///              effect      1,204   1.20 ms   1.84 ms   2.30 ms   2.41 ms   1.26 ms
    ///              total       1,204   1.21 ms   1.85 ms   2.31 ms   2.42 ms   1.27 ms
    /// ```
    /// A phase that never took time has no row, except the total. Columns for the system's name, failed and cancelled events appear
    /// only if they hold something. Without measurements there are only the headings.
    ///
    /// - Parameter phases: the rows to show for an event, in the order of ``TracePhase``.
    /// - Returns: lines, each with a line feed.
    public func table(_ phases: Set<TracePhase> = Set(TracePhase.allCases)) -> String {
        let events = events.sorted {
            ($1[.total].total, $0.event, $0.system ?? "") < ($0[.total].total, $1.event, $1.system ?? "")
        }
        let shown = TracePhase.allCases.filter(phases.contains)
        let isNamed = events.contains { $0.system != nil }
        let all: [Column?] =
            [
                isNamed ? ("system", .left, false, { event, _ in plain(event.system ?? "") }) : nil,
                ("event", .left, false, { event, _ in plain(event.event) }), ("phase", .left, true, { _, phase in "\(phase)" }),
                ("count", .right, true, { event, phase in GroupedNumber.text(event[phase].count) }),
            ]
            + [50, 90, 99].map { percent in ("p\(percent)", .right, true, { time($0[$1].percentile(Double(percent))) }) } + [
                ("max", .right, true, { time($0[$1].max) }), ("mean", .right, true, { time($0[$1].mean.map { UInt64($0) }) }),
                events.contains { $0.failed > 0 } ? ("failed", .right, false, { event, _ in GroupedNumber.text(event.failed) }) : nil,
                events.contains { $0.cancelled > 0 }
                    ? ("cancelled", .right, false, { event, _ in GroupedNumber.text(event.cancelled) }) : nil,
            ]
        let columns = all.compactMap(\.self)

        var rows = [columns.map(\.heading)]
        for event in events {
            var isFirst = true
            for phase in shown where phase == .total && event.count > 0 || (event[phase].max ?? 0) > 0 {
                rows.append(columns.map { isFirst || $0.inEveryRow ? $0.cell(event, phase) : "" })
                isFirst = false
            }
        }
        return aligned(rows, columns.map(\.side))
    }
}

private enum Side { case left, right }

/// A column that is not in every row is in an event's first row only.
private typealias Column = (
    heading: String, side: Side, inEveryRow: Bool, cell: (EventMeasurements, TracePhase) -> String
)

private func time(_ nanoseconds: UInt64?) -> String { nanoseconds.map(NanosecondText.of) ?? "" }

/// Names are data: control characters must not move the terminal's cursor, and a long name must not break the table.
private func plain(_ name: String) -> String { PlainText.of(name, limit: 60) }

private func aligned(_ rows: [[String]], _ sides: [Side]) -> String {
    let widths = sides.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var text = ""
    for row in rows {
        var line = ""
        for (column, cell) in row.enumerated() {
            let space = String(repeating: " ", count: widths[column] - cell.count)
            if column > 0 { line += "  " }
            line += sides[column] == .left ? cell + space : space + cell
        }
        while line.last == " " { line.removeLast() }
        text += line + "\n"
    }
    return text
}
