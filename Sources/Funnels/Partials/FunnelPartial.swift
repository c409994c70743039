public import EventFiles

/// What a funnel counted for a part of the keys, or how much a split read. Merged with all others it gives the result of one pass.
///
/// Merging is exact, in any order and grouping: counts add up, durations are kept one by one, and the groups of one text become one.
public struct FunnelPartial: Sendable {
    /// The chains of one value of the breakdown; all chains of a funnel without a breakdown.
    struct Group: Sendable {
        /// How many chains there are, whether they took step 1 or not.
        var size = 0
        var tally: FunnelTally
        /// The visits by user and day, where visits are counted.
        var visits = VisitTable()
    }

    public let definition: FunnelDefinition
    private var context: Fingerprint
    /// When all of the data ends; `nil` without events.
    private var end: DataEnd?
    /// By the text of the value; an empty text stands for no value.
    private var groups: [[UInt8]: Group] = [:]
    /// The counts of all starts and of mature ones, whichever of the two the groups hold.
    private var counts = StartCounts()
    var duplicates = 0
    var withoutKey = 0
    /// How much was read; `nil` for a part that was only counted.
    private(set) var quality: ReadQuality?
    /// How much was read and what was wrong with it, but for duplicates and gaps; `nil` for a part that was only counted.
    package var input: InputQuality? { quality?.input }
    private var ledger: PartLedger

    init(_ context: FunnelContext, quality: ReadQuality? = nil, _ ledger: PartLedger = PartLedger()) {
        (definition, self.context, end) = (context.definition, context.fingerprint, context.end)
        (self.quality, self.ledger) = (quality, ledger)
    }

    /// Counts some keys. The files must hold all events of these keys, as one part of `looptrail cluster split` does.
    ///
    /// Memory: that of `FunnelRun.results(reading:threads:progress:)` for as many events.
    ///
    /// - Parameters:
    ///   - part: which part the lines are; `nil` if they begin with its ``FunnelPart/mark``, as those of ``FunnelSplit`` do.
    ///   - reader: reads the files. Lines with the same id must stand in the order of the data.
    ///   - threads: how many decode at a time.
    ///   - progress: called on the calling thread with how far the reading is.
    ///   - day: gives the day that a time lies in, in the time zone ``FunnelContext/zone``. It is used only where visits are counted.
    /// - Throws: `EventFileReadError`; ``PartialError/unmarked`` and ``PartialError/mixed(_:_:)`` if the lines' part is not known.
    public static func counted(
        _ context: FunnelContext, part: FunnelPart? = nil, reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors,
        progress: ((ReadProgress) -> Void)? = nil, day: (Int64) -> Range<Int64> = FunnelRun.dayOfUTC
    ) throws -> (partial: FunnelPartial, reading: ReadResult) {
        // Which windows are open depends on the end of all of the data.
        var definition = context.definition
        definition.dataEnd = context.end?.milliseconds
        let plan = CompiledFunnel([definition])
        var accumulator = FunnelAccumulator(plan, identities: context.identities)
        var marks: [FunnelPart] = []
        let result = try reader.readLines(threads: threads, progress: progress) {
            PartBatch(funnels: FunnelBatch(plan, expecting: $0.lineCount))
        } consume: { batch in
            accumulator.take(batch.funnels)
            for mark in batch.marks where marks.last != mark { marks.append(mark) }
        }
        guard let known = part ?? marks.first else { throw PartialError.unmarked }
        if let other = marks.first(where: { $0 != known }) { throw PartialError.mixed(known, other) }
        return (accumulator.partial(context, of: known, isMarked: !marks.isEmpty, result, day), result)
    }

    /// Takes a chain as ``StartTally`` does.
    ///
    /// - Parameter day: when the visit's day begins.
    mutating func add(_ chain: FunnelChain, group: [UInt8], _ part: StartSelection.Part, day: Int64) {
        guard counts.add(chain, part.counts, to: definition.lastRequiredStep, showsMature: definition.starts == .mature) else { return }
        groups[group, default: Group(tally: FunnelTally(definition))].tally.add(chain)
        groups[group]?.size += 1
        guard part.counts.contains(.mature), let visit = part.visit else { return }
        groups[group]?.visits.add(
            VisitTable.Cell(visit, by: part.user, chain, to: definition.lastRequiredStep, day: day, group: group.isEmpty ? 0 : 1))
    }

    /// Adds another part.
    ///
    /// - Throws: ``PartialError`` for a part of another definition, context or split, and for one added before. Then nothing has changed.
    public mutating func merge(_ other: FunnelPartial) throws(PartialError) {
        guard context == other.context, definition == other.definition else { throw .unlike }
        try ledger.merge(other.ledger)
        for (text, group) in other.groups {
            groups[text, default: Group(tally: FunnelTally(definition))].tally.add(group.tally)
            groups[text]?.size += group.size
            groups[text]?.visits.add(group.visits)
        }
        counts.add(other.counts)
        duplicates += other.duplicates
        withoutKey += other.withoutKey
        if let more = other.quality {
            quality = quality ?? ReadQuality()
            quality?.add(more)
        }
    }

    /// The result. It equals that of one pass over everything if all parts are merged and were counted with the same days. But it says
    /// neither how much of the time the data cover, nor which properties no event has, nor a silence that the window hides.
    ///
    /// - Throws: ``PartialError/noQuality`` if no part says how much was read, ``PartialError/missing(_:of:)`` if a part is missing,
    ///   ``PartialError/lines(part:counted:given:)`` if one is not whole.
    public func result() throws(PartialError) -> FunnelResult {
        guard var quality else { throw .noQuality }
        try ledger.check()
        var input = quality.finished()
        (input.duplicates, input.withoutKey) = (duplicates, withoutKey)
        var shown = FunnelTally(definition)
        for group in groups.values { shown.add(group.tally) }
        let (groups, indices) = shownGroups
        let steps = FunnelResult.Step.all(shown, of: definition)
        var result = FunnelResult(
            definition: definition, steps: steps, groups: groups, windowOpen: shown.windowOpen,
            input: input, unseenNames: quality.names.unseen(in: definition),
            mature: counts.mature(of: definition, dataEnd: end), dataEnd: end, ninetyNinth: counts.ninetyNinth(of: definition, steps))
        if definition.counting == .visits {
            var visits = VisitTable()
            for (text, group) in self.groups { visits.add(group.visits.sorted { _ in indices[text] ?? 0 }) }
            result.visits = visits.sorted()
        }
        result.groupClaims = GroupClaims.claims(of: [result])[0]
        return result
    }

    /// The groups, and for the text of each value the index of its group.
    private var shownGroups: (groups: [FunnelResult.Group], indices: [[UInt8]: Int]) {
        guard let breakdown = definition.breakdown else { return ([], [:]) }
        let texts = groups.keys.sorted { $0.lexicographicallyPrecedes($1) }
        let tallies = texts.map { groups[$0] ?? Group(tally: FunnelTally(definition)) }
        let (shown, indices) = FunnelGroups.groups(texts, sizes: tallies.map(\.size), of: definition, top: breakdown.top) { take in
            for (value, group) in tallies.enumerated() { take(value) { $0.add(group.tally) } }
        }
        return (shown, Dictionary(uniqueKeysWithValues: zip(texts, indices)))
    }

    public init(_ bytes: [UInt8]) throws(PartialError) {
        var coder = try PartialCoder(bytes, kind: .partial)
        definition = try FunnelDefinition.coded(nil, &coder)
        (context, end, ledger) = (.none, nil, PartLedger())
        try code(&coder)
        try coder.finish()
    }

    /// The partial as ``init(_:)-([UInt8])`` reads it; equal partials have equal bytes.
    public var bytes: [UInt8] {
        var copy = self
        return PartialCoder.written(.partial) { coder throws(PartialError) in
            _ = try FunnelDefinition.coded(definition, &coder)
            try copy.code(&coder)
        }
    }

    private mutating func code(_ coder: inout PartialCoder) throws(PartialError) {
        try coder.fingerprint(&context)
        var (milliseconds, behind, first) = (end?.milliseconds, end?.eventsBehind ?? 0, end?.firstBehind)
        try coder.optional(&milliseconds)
        try coder.size(&behind)
        try coder.optional(&first)
        end = milliseconds.map { DataEnd(milliseconds: $0, eventsBehind: behind, firstBehind: first) }
        for counted in [\StartCounts.all, \.mature] {
            try coder.size(&counts[keyPath: counted].entered)
            try coder.size(&counts[keyPath: counted].converted)
            try coder.require(counts[keyPath: counted].converted <= counts[keyPath: counted].entered)
        }
        try coder.run(&counts.times)
        try coder.size(&duplicates)
        try coder.size(&withoutKey)
        var all = groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { (text: $0.key, group: $0.value) }
        try coder.list(&all, ([], Group(tally: FunnelTally(definition)))) { coder, one throws(PartialError) in
            try coder.text(&one.text)
            try coder.size(&one.group.size)
            try one.group.tally.code(&coder, of: one.group.size)
            one.group.visits = one.group.visits.sorted()
            try one.group.visits.code(&coder, isKnown: !one.text.isEmpty)
        }
        groups = Dictionary(all.map { ($0.text, $0.group) }) { $1 }
        var (hasQuality, known) = (quality != nil, quality ?? ReadQuality())
        try coder.flag(&hasQuality)
        if hasQuality { try known.code(&coder) }
        quality = hasQuality ? known : nil
        try ledger.code(&coder)
    }
}

extension FunnelAccumulator {
    /// What was counted for the only definition, as one part of several.
    consuming func partial(
        _ context: FunnelContext, of part: FunnelPart, isMarked: Bool, _ result: ReadResult, _ day: (Int64) -> Range<Int64>
    ) -> FunnelPartial {
        let all = finish(result)
        var partial = FunnelPartial(context, PartLedger(part, isMarked: isMarked, lines: all.events))
        (partial.duplicates, partial.withoutKey) = (all.duplicates, input(0, all).withoutKey)
        var today: Range<Int64> = 0..<0
        forEachChain(0) { _, chain, group, part in
            if let first = part.visit?.first, !today.contains(first) { today = day(first) }
            partial.add(chain, group: valueBytes(0, group), part, day: today.lowerBound)
        }
        return partial
    }
}

private struct PartBatch: DecodedBatch {
    var funnels: FunnelBatch
    var marks: [FunnelPart] = []

    mutating func take(_ line: EventHead) {
        if let mark = FunnelPart(line) { marks.append(mark) }
        funnels.take(line)
    }

    mutating func takeBadLine() { funnels.takeBadLine() }
}
