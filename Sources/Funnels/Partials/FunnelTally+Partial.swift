extension FunnelTally {
    init(_ definition: FunnelDefinition, _ reader: inout PartialReader) throws(PartialError) {
        self.init(definition)
        var (counts, sinceFirst, sincePrevious) = ([Int](), [[Int64]](), [[Int64]]())
        let windowOpen = try reader.size()
        for step in 0..<stepCount {
            counts.append(try reader.size())
            sinceFirst.append(step == 0 ? [] : try reader.run())
            // Between the first two steps the two times are one.
            sincePrevious.append(try reader.number() == 1 ? sinceFirst[step] : try reader.run())
        }
        set(counts: counts, windowOpen: windowOpen, sinceFirst: sinceFirst, sincePrevious: sincePrevious)
    }

    func write(to writer: inout PartialWriter) {
        writer.put(windowOpen)
        for step in 0..<stepCount {
            let (first, previous) = (sinceFirst(step).sorted(), sincePrevious(step).sorted())
            writer.put(count(step))
            if step > 0 { writer.put(run: first) }
            writer.put(first == previous ? 1 : 0)
            if first != previous { writer.put(run: previous) }
        }
    }
}
