import Basics
public import Funnels

extension JSONReport {
    public func text(of timings: TimingCatalogue) -> String {
        document { writer in
            writer.breakLine(" ")
            writer.key("timings")
            writer.array(timings.entries, onePerLine: true) { writer, entry in
                writer.object { writer in
                    writer.member("system", entry.system)
                    writer.member("event", entry.event)
                    writer.member("phase", entry.phase)
                    writer.member("count", Int64(clamping: entry.count))
                    writer.member("p50_ns", Int64(clamping: entry.p50))
                    writer.member("p90_ns", Int64(clamping: entry.p90))
                    writer.member("p99_ns", Int64(clamping: entry.p99))
                    writer.member("min_ns", Int64(clamping: entry.minimum))
                    writer.member("max_ns", Int64(clamping: entry.maximum))
                    writer.member("mean_ns", Int64(clamping: entry.mean))
                    writer.member("total_ns", Int64(clamping: entry.total))
                }
            }
            writer.breakLine(" ")
            writer.member("left_out", timings.leftOut)
            writer.member("lines", timings.lines)
            writer.member("unreadable_lines", timings.unreadableLines)
            writer.member("first_ms", timings.firstMilliseconds)
            writer.member("last_ms", timings.lastMilliseconds)
            write(timings.range, to: &writer)
            writer.member("system", timings.system)
            writer.breakLine(" ")
            write(timings.input, to: &writer)
        }
    }
}
