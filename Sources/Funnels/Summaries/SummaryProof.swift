import EventFiles

/// Finds the files whose ids need not be read, because no event of theirs can be in another file as well.
///
/// Two files are apart if their ranges of ids are, or if writers of the format made both and no session has a sequence number in both: lines
/// that share an id share session and number.
enum SummaryProof {
    /// For each file whether its ids must be compared with those of others.
    ///
    /// - Parameter summaries: of the files; `nil` for one that is read line by line, of which nothing is known.
    /// - Complexity: O(n log n) for n runs, where ranges of what writers made overlap.
    static func comparesIDs(_ summaries: [SegmentSummary?]) -> [Bool] {
        let known = summaries.compactMap { $0 }
        if known.count < summaries.count { return Array(repeating: summaries.count > 1, count: summaries.count) }
        var compares = Array(repeating: false, count: known.count)
        // By their smallest id, those without a known one first: each is compared with those that have not ended before it begins.
        var order = known.indices.filter { known[$0].facts.ids.count > 0 }
        order.sort { (known[$0].facts.ids.smallest ?? "").utf8.lexicographicallyPrecedes((known[$1].facts.ids.smallest ?? "").utf8) }
        var open: [Int] = []
        /// Files of which writers made both of some pair whose ranges overlap.
        var native: Set<Int> = []
        for file in order {
            open.removeAll { !known[$0].overlapsIDs(of: known[file]) }
            for other in open {
                if known[file].isNative, known[other].isNative {
                    native.formUnion([file, other])
                } else {
                    compares[file] = true
                    compares[other] = true
                }
            }
            open.append(file)
        }
        let overlapping = native.sorted()
        var runs: [[SequenceRun]] = []
        for file in overlapping {
            // Where the sessions cannot be read the summary is none, which shows when it is read.
            guard let found = try? known[file].sequenceRuns() else {
                for file in overlapping { compares[file] = true }
                return compares
            }
            runs.append(found)
        }
        for (one, other) in sharedNumbers(overlapping, runs) where known[one].overlapsIDs(of: known[other]) {
            compares[one] = true
            compares[other] = true
        }
        return compares
    }

    /// The pairs of files in which a session has the same sequence number.
    private static func sharedNumbers(_ files: [Int], _ runs: [[SequenceRun]]) -> [(Int, Int)] {
        struct Span {
            var run: SequenceRun
            var file: Int
        }
        var spans: [Span] = []
        spans.reserveCapacity(runs.reduce(0) { $0 + $1.count })
        for (file, runs) in zip(files, runs) { for run in runs { spans.append(Span(run: run, file: file)) } }
        spans.sort {
            ($0.run.session.high, $0.run.session.low, $0.run.low) < ($1.run.session.high, $1.run.session.low, $1.run.low)
        }
        var shared: [(Int, Int)] = []
        var first = 0
        for place in spans.indices {
            let span = spans[place]
            if spans[first].run.session != span.run.session { first = place }
            // Runs of a session are few: those before that reach as far are looked at one by one.
            for before in first..<place where spans[before].run.high >= span.run.low && spans[before].file != span.file {
                shared.append((spans[before].file, span.file))
            }
            while first < place, spans[first].run.high < span.run.low { first += 1 }
        }
        return shared
    }
}
