import Basics
public import Funnels

extension JSONReport {
    /// The funnel with its fixed keys as always, and behind them `compare`: the same of the other time, and by how much the
    /// shares differ, as the first less the other, -1…1.
    public func text(of comparison: FunnelComparison) -> String {
        let (own, other) = (comparison.result, comparison.other)
        return document { writer in
            write(own, to: &writer)
            writer.breakLine(" ")
            writer.key("compare")
            writer.object { writer in
                writer.member("since_ms", other.definition.since)
                writer.member("until_ms", other.definition.until)
                writer.breakLine(" ")
                writeCounts(other, to: &writer)
                writer.breakLine(" ")
                writer.key("difference")
                writer.object { writer in
                    writer.member("rate", FunnelComparison.difference(own.rate, other.rate))
                    writer.key("steps")
                    writer.array(zip(own.steps, other.steps)) { writer, steps in
                        writer.object { writer in
                            writer.member("index", steps.0.index)
                            writer.member("of_first", FunnelComparison.difference(steps.0.ofFirst, steps.1.ofFirst))
                            writer.member("of_previous", FunnelComparison.difference(steps.0.ofPrevious, steps.1.ofPrevious))
                        }
                    }
                }
            }
        }
    }
}
