import Basics
public import Funnels

extension JSONReport {
    public func text(of catalogue: EventCatalogue) -> String {
        document { writer in
            writer.breakLine(" ")
            writer.key("events")
            writer.array(catalogue.entries, onePerLine: true) { writer, entry in
                writer.object { writer in
                    writer.member("name", entry.name)
                    writer.member("count", entry.count)
                    writer.member("users", entry.users)
                    writer.member("first_ms", entry.firstMilliseconds)
                    writer.member("last_ms", entry.lastMilliseconds)
                }
            }
            writer.breakLine(" ")
            writer.member("meta_lines", catalogue.metaLines)
            writer.member("timing_lines", catalogue.timingLines)
            write(catalogue.range, to: &writer)
            writer.breakLine(" ")
            write(catalogue.input, to: &writer)
        }
    }
}
