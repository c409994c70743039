/// The end of a page of several results: how each was counted, and once what was read.
struct HTMLEnding {
    let sections: [ReportSection]
    let zone: TimeZoneRules

    func write(to writer: inout HTMLWriter) {
        writer.element("section", ["id": "counted", "class": "kind-ending"], isBlock: true) { writer in
            writer.markup("\n")
            writer.element("h2", isBlock: true, words: "How it was counted")
            writer.element("footer", isBlock: true) { writer in
                writer.markup("\n")
                let facts = HTMLFacts(zone: zone, heading: "h3")
                // A trend counts as the funnel before it does.
                for section in sections where section.kind != "trend" {
                    facts.write(section.title, section.definition, isData: true, to: &writer)
                }
                // Several results of the same files have one input.
                var written: [[ReportFact]] = []
                for section in sections where !written.contains(section.quality) {
                    if written.isEmpty { facts.write("Input", section.quality, to: &writer) }
                    if !written.isEmpty { facts.write("Input of \(section.kind)", section.quality, to: &writer) }
                    written.append(section.quality)
                }
            }
        }
    }
}

/// Values and what they are called, under a heading.
struct HTMLFacts {
    let zone: TimeZoneRules
    let heading: StaticString

    /// - Parameter isData: whether the title is from data or people.
    func write(_ title: String, _ facts: [ReportFact], isData: Bool = false, to writer: inout HTMLWriter) {
        if facts.isEmpty { return }
        writer.element("div", ["class": "facts"], isBlock: true) { writer in
            writer.element(heading) { if isData { $0.data(title) } else { $0.words(title) } }
            writer.element("dl") { writer in
                for fact in facts {
                    writer.element("div") { writer in
                        writer.element("dt", words: fact.label)
                        writer.element("dd", fact.isAlarm ? ["class": "alarm"] : [:]) { $0.value(fact, in: zone) }
                    }
                }
            }
        }
    }
}
