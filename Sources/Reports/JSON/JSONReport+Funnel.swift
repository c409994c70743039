import Basics
public import Funnels

extension JSONReport {
    public func text(of funnel: FunnelResult) -> String {
        document { write(funnel, to: &$0) }
    }

    /// All of a funnel's keys but the document's own.
    func write(_ funnel: FunnelResult, to writer: inout JSONWriter) {
        writer.breakLine(" ")
        write(funnel.definition, to: &writer)
        writer.breakLine(" ")
        writeCounts(funnel, to: &writer)
        writer.breakLine(" ")
        write(funnel.input, to: &writer)
    }

    /// What was counted, without the definition and the input.
    func writeCounts(_ funnel: FunnelResult, to writer: inout JSONWriter) {
        writer.key("steps")
        write(funnel.steps, of: funnel.definition, onePerLine: true, to: &writer)
        writer.breakLine(" ")
        writer.key("overall")
        writer.object { writer in
            writer.member("entered", funnel.entered)
            writer.member("converted", funnel.converted)
            writer.member("rate", funnel.rate)
            write("time_ms", funnel.timeToConvert, to: &writer)
        }
        writer.breakLine(" ")
        writer.key("groups")
        writer.array(funnel.groups, onePerLine: true) { writer, group in
            writer.object { writer in
                writer.member("value", group.value)
                writer.key("steps")
                write(group.steps, of: funnel.definition, onePerLine: false, to: &writer)
            }
        }
        writer.breakLine(" ")
        writer.member("window_open", funnel.windowOpen)
    }

    private func write(
        _ steps: [FunnelResult.Step], of definition: FunnelDefinition, onePerLine: Bool, to writer: inout JSONWriter
    ) {
        writer.array(zip(steps, definition.steps), onePerLine: onePerLine) { writer, step in
            write(step.0, name: step.1.pattern.title, to: &writer)
        }
    }

    func write(_ definition: FunnelDefinition, to writer: inout JSONWriter) {
        writer.key("definition")
        writer.object { writer in
            writer.key("steps")
            writer.array(definition.steps) { writer, step in
                writer.object { writer in
                    writer.member("name", step.pattern.title)
                    writer.member("filter", step.pattern.filter)
                    writer.member("optional", step.isOptional)
                }
            }
            writer.member("window_ms", definition.windowMilliseconds)
            writer.member("step_window_ms", definition.stepWindowMilliseconds)
            writer.member("order", definition.order.rawValue)
            writer.member("by", definition.key.description)
            writer.member("ties", "any")
            writer.member("count", definition.counting.rawValue)
            writer.member("dedupe", "id")
            writer.member("hold", definition.hold.map(PropertyPath.text))
            writer.key("exclusions")
            writer.array(definition.exclusions) { writer, exclusion in
                writer.object { writer in
                    writer.member("name", exclusion.pattern.title)
                    writer.member("filter", exclusion.pattern.filter)
                    writer.member("from_step", exclusion.steps?.lowerBound ?? 1)
                    writer.member("to_step", exclusion.steps?.upperBound ?? definition.steps.count)
                    writer.member("spoils", exclusion.spoils)
                }
            }
            writer.member("since_ms", definition.since)
            writer.member("until_ms", definition.until)
            writer.member("compat", definition.compat?.description)
            // Only where they were asked for, so that the keys of a plain funnel stay as they are.
            if let breakdown = definition.breakdown {
                writer.member("breakdown", breakdown.description)
                writer.member("top", breakdown.top)
            }
            if !definition.identify { writer.member("identify", false) }
        }
    }

    private func write(_ step: FunnelResult.Step, name: String, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("index", step.index)
            writer.member("name", name)
            writer.member("count", step.count)
            writer.member("of_first", step.ofFirst)
            writer.member("of_previous", step.ofPrevious)
            writer.member("dropped", step.dropped)
            write("from_previous_ms", step.fromPrevious, to: &writer)
            write("from_first_ms", step.fromFirst, to: &writer)
        }
    }

    func write(_ key: StaticString, _ distribution: Distribution?, to writer: inout JSONWriter) {
        writer.key(key)
        guard let distribution else { return writer.null() }
        writer.object { writer in
            writer.member("n", distribution.n)
            writer.member("mean", distribution.mean)
            writer.member("p50", distribution.p50)
            writer.member("p90", distribution.p90)
            writer.member("p99", distribution.p99)
        }
    }
}
