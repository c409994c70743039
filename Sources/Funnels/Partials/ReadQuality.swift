import Basics
import EventFiles

/// How much was read and what was wrong with it. The sum over several readings is the same as for one reading of everything.
struct ReadQuality: Sendable {
    /// Duplicates and events without a key are not in it: the parts that count know those.
    var input = InputQuality()
    var names = SeenNames()
    /// Runs of sequence numbers. The first ``sorted`` runs are in order, and none of them touches another.
    private(set) var runs: [SequenceRun] = []
    private var sorted = 0

    mutating func take(_ head: BatchHead, names: [[UInt8]]) {
        input.add(head)
        for name in names { self.names.insert(name) }
        add(head.sequences.runs)
    }

    mutating func add(_ other: ReadQuality) {
        let sums = [\InputQuality.files, \.events, \.badLines, \.damagedMembers]
        for sum in sums { input[keyPath: sum] += other.input[keyPath: sum] }
        input.bytes += other.input.bytes
        if let first = other.input.firstMilliseconds, let last = other.input.lastMilliseconds { input.note(first: first, last: last) }
        names.add(other.names)
        add(other.runs)
    }

    private mutating func add(_ more: [SequenceRun]) {
        runs += more
        if runs.count - sorted > sorted + 1 << 16 { fold() }
    }

    /// Sorts the runs and joins those that touch or overlap.
    private mutating func fold() {
        runs.sort { ($0.session.high, $0.session.low, $0.low, $0.high) < ($1.session.high, $1.session.low, $1.low, $1.high) }
        var kept: [SequenceRun] = []
        for run in runs {
            if let last = kept.last, last.session == run.session, last.high >= run.low - 1 {
                kept[kept.count - 1].high = max(last.high, run.high)
            } else {
                kept.append(run)
            }
        }
        (runs, sorted) = (kept, kept.count)
    }

    /// The quality, with how many sequence numbers the sessions lack.
    mutating func finished() -> InputQuality {
        fold()
        for (one, next) in zip(runs, runs.dropFirst()) where one.session == next.session {
            input.sequenceGaps = input.sequenceGaps.addingClamped(next.low - one.high - 1)
        }
        return input
    }

    mutating func code(_ coder: inout PartialCoder) throws(PartialError) {
        try coder.size(&input.files)
        var bytes = Int(input.bytes)
        try coder.size(&bytes)
        input.bytes = Int64(bytes)
        try coder.size(&input.events)
        try coder.size(&input.badLines)
        try coder.size(&input.damagedMembers)
        try coder.optional(&input.firstMilliseconds)
        try coder.optional(&input.lastMilliseconds)
        try names.code(&coder)
        fold()
        var last = SequenceRun(session: .none, low: 0, high: 0)
        try coder.list(&runs, last) { coder, run throws(PartialError) in
            var isOther = run.session != last.session
            try coder.flag(&isOther)
            if isOther {
                try coder.fingerprint(&run.session)
                last.high = 0
            } else {
                run.session = last.session
            }
            var (gap, length) = (run.low &- last.high, UInt64(bitPattern: run.high &- run.low))
            try coder.signed(&gap)
            try coder.number(&length)
            let (low, isLowHuge) = last.high.addingReportingOverflow(gap)
            let (high, isHighHuge) = low.addingReportingOverflow(Int64(clamping: length))
            // Sequence numbers are 1 or more, so that their differences do not overflow.
            try coder.require(!isLowHuge && !isHighHuge && low > 0)
            (run.low, run.high) = (low, high)
            last = run
        }
    }
}

extension SeenNames {
    mutating func code(_ coder: inout PartialCoder) throws(PartialError) {
        let known = Set(texts.map { Fingerprint.of($0) })
        var named = texts.sorted().map { Array($0.utf8) }
        var others = fingerprints.filter { !known.contains($0) }.sorted { ($0.high, $0.low) < ($1.high, $1.low) }
        try coder.list(&named, []) { coder, text throws(PartialError) in try coder.text(&text) }
        try coder.list(&others, .none) { coder, name throws(PartialError) in try coder.fingerprint(&name) }
        for text in named { insert(text) }
        for name in others { insert(name) }
    }
}
