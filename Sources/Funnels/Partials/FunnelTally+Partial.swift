extension FunnelTally {
    init(_ definition: FunnelDefinition, _ reader: inout PartialReader) throws(PartialError) {
        self.init(definition)
        windowOpen = try reader.size()
        for step in counts.indices {
            counts[step] = try reader.size()
            if step > 0 { sinceFirst[step] = try reader.run() }
            // Between the first two steps the two times are one.
            sincePrevious[step] = try reader.number() == 1 ? sinceFirst[step] : try reader.run()
        }
    }

    func write(to writer: inout PartialWriter) {
        writer.put(windowOpen)
        for step in counts.indices {
            let (first, previous) = (sinceFirst[step].sorted(), sincePrevious[step].sorted())
            writer.put(counts[step])
            if step > 0 { writer.put(run: first) }
            writer.put(first == previous ? 1 : 0)
            if first != previous { writer.put(run: previous) }
        }
    }
}
