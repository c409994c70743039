import Basics
import Funnels

extension JSONReport {
    /// A funnel by the time of entry.
    public func text(of report: FunnelTrendReport) -> String {
        document { writer in
            writer.breakLine(" ")
            write(report.trend.definition, to: &writer)
            writer.breakLine(" ")
            writer.member("every", report.unit.rawValue)
            writer.member("tz", report.zone.name)
            writer.breakLine(" ")
            writer.key("points")
            writer.array(report.periods, onePerLine: true) { writer, period in
                writer.object { writer in
                    let point = period.point
                    writer.member("start_ms", period.startMilliseconds)
                    writer.member("entered", point?.entered ?? 0)
                    writer.member("converted", point?.converted ?? 0)
                    writer.member("rate", point?.rate)
                    writer.member("window_open", point?.windowOpen ?? 0)
                    writer.key("counts")
                    writer.array(point?.steps.map(\.count) ?? report.trend.definition.steps.map { _ in 0 }) { writer, count in
                        writer.integer(Int64(count))
                    }
                    write("time_ms", point?.timeToConvert, to: &writer)
                }
            }
            writer.breakLine(" ")
            write(report.trend.input, to: &writer)
        }
    }
}
