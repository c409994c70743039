import Basics
public import Funnels

extension JSONReport {
    public func text(of properties: PropertyCatalogue) -> String {
        document { writer in
            writer.member("name", properties.name)
            writer.member("events", properties.events)
            write(properties.range, to: &writer)
            writer.breakLine(" ")
            writer.key("keys")
            writer.array(properties.keys, onePerLine: true) { writer, key in write(key, to: &writer) }
            writer.member("more_keys", properties.hasMoreKeys)
            writer.breakLine(" ")
            write(properties.input, to: &writer)
        }
    }

    func write(_ range: TimeRange, to writer: inout JSONWriter) {
        writer.member("since_ms", range.since)
        writer.member("until_ms", range.until)
    }

    private func write(_ key: PropertyCatalogue.Key, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("path", key.title)
            writer.key("types")
            writer.object { writer in
                writer.member("string", key.kinds[.string] ?? 0)
                writer.member("int", key.kinds[.int] ?? 0)
                writer.member("double", key.kinds[.double] ?? 0)
                writer.member("bool", key.kinds[.bool] ?? 0)
                writer.member("null", key.kinds[.null] ?? 0)
                writer.member("object", key.kinds[.object] ?? 0)
                writer.member("array", key.kinds[.array] ?? 0)
            }
            writer.member("present", key.present)
            writer.member("distinct", key.distinct)
            writer.member("distinct_exact", key.isDistinctExact)
            writer.member("min", key.minimum)
            writer.member("max", key.maximum)
            writer.key("top")
            writer.array(key.top) { writer, value in
                writer.object { writer in
                    writer.member("value", value.text)
                    writer.member("type", value.kind.rawValue)
                    writer.member("count", value.count)
                }
            }
            writer.member("top_exact", key.areTopExact)
        }
    }
}
