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
        let events = events.sorted { ($1[.total].total, $0.event, $0.system ?? "") < ($0[.total].total, $1.event, $1.system ?? "") }
        let heading = ["system", "event", "phase", "count", "p50", "p90", "p99", "max", "mean", "failed", "cancelled"]
        var rows = [heading]
        for event in events {
            // Names are data: control characters must not move the terminal's cursor, and a long name must not break the table.
            var names = [event.system ?? "", event.event].map { PlainText.of($0, limit: 60) }
            var ends = [event.failed, event.cancelled].map { GroupedNumber.text($0) }
            for phase in TracePhase.allCases where phases.contains(phase) {
                let times = event[phase]
                guard phase == .total && event.count > 0 || (times.max ?? 0) > 0 else { continue }
                let figures = [50.0, 90, 99].map(times.percentile) + [times.max, times.isEmpty ? nil : times.total / times.count]
                rows.append(names + [phase.text, GroupedNumber.text(times.count)] + figures.map { $0.map(NanosecondText.of) ?? "" } + ends)
                // What holds for the whole event stands in its first row only.
                (names, ends) = (["", ""], ["", ""])
            }
        }
        let isShown = [
            "system": events.contains { $0.system != nil }, "failed": events.contains { $0.failed > 0 },
            "cancelled": events.contains { $0.cancelled > 0 },
        ]
        let columns = heading.indices.filter { isShown[heading[$0]] ?? true }
        let widths = heading.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = columns.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                // Words stand at the left, numbers at the right.
                return column < 3 ? row[column] + space : space + row[column]
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}
