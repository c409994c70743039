public import Funnels

extension JSONReport {
    public func text(of funnel: FunnelResult) -> String {
        document { writer in
            writer.breakLine(" ")
            write(funnel.definition, to: &writer)
            writer.breakLine(" ")
            writer.key("steps")
            writer.array(zip(funnel.steps, funnel.definition.steps), onePerLine: true) { writer, step in
                write(step.0, name: step.1.pattern.title, to: &writer)
            }
            writer.breakLine(" ")
            writer.key("overall")
            writer.object { writer in
                writer.member("entered", funnel.entered)
                writer.member("converted", funnel.converted)
                writer.member("rate", funnel.rate)
                write("time_ms", funnel.timeToConvert, to: &writer)
            }
            writer.breakLine(" ")
            // Without a breakdown there are no groups.
            writer.key("groups")
            writer.array(EmptyCollection<Int>()) { _, _ in }
            writer.breakLine(" ")
            writer.member("window_open", funnel.windowOpen)
            writer.breakLine(" ")
            write(funnel.input, to: &writer)
        }
    }

    private func write(_ definition: FunnelDefinition, to writer: inout JSONWriter) {
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
            writer.member("step_window_ms", nil as Int64?)
            writer.member("order", definition.order.rawValue)
            writer.member("by", definition.key.description)
            writer.member("ties", "any")
            writer.member("count", "users")
            writer.member("dedupe", "id")
            writer.member("hold", nil as String?)
            writer.key("exclusions")
            writer.array(EmptyCollection<Int>()) { _, _ in }
            writer.member("since_ms", definition.since)
            writer.member("until_ms", definition.until)
            writer.member("compat", nil as String?)
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

    private func write(_ key: StaticString, _ distribution: Distribution?, to writer: inout JSONWriter) {
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
