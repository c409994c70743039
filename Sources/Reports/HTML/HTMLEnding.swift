/// The end of a page of several results: how each was counted, and once what was read.
struct HTMLEnding {
    let sections: [ReportSection]
    let zone: TimeZoneRules

    func write(to writer: inout HTMLWriter) {
        writer.blocks("section", ["id": "counted", "class": "kind-ending"]) { writer in
            writer.element("h2", isBlock: true, words: "How it was counted")
            writer.blocks("footer") { writer in
                // A trend counts as the funnel before it does.
                for section in sections where section.kind != "trend" {
                    writer.facts("h3", { $0.data(section.title) }, section.definition, in: zone)
                }
                // Several results of the same files have one input.
                var written: [[ReportFact]] = []
                for section in sections where !written.contains(section.quality) {
                    let title = written.isEmpty ? "Input" : "Input of \(section.kind)"
                    writer.facts("h3", { $0.words(title) }, section.quality, in: zone)
                    written.append(section.quality)
                }
            }
        }
    }
}
