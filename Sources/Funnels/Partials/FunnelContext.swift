public import EventFiles

/// What a part of the data cannot know and every part has to: the definition with its times resolved, who became whom, and when the data ends.
///
/// Contexts of parts of the data merge into that of all of it, in any order.
public struct FunnelContext: Sendable {
    public let definition: FunnelDefinition
    var identities = Identities()
    /// How many events there are on each day.
    var days = DayCounts()

    /// When the data ends; `nil` without events.
    var end: DataEnd? { definition.dataEnd.map { DataEnd(milliseconds: $0) } ?? days.end(before: definition.windowMilliseconds) }

    /// - Throws: ``PartialError/refused(_:)`` for what no part can know.
    init(_ definition: FunnelDefinition) throws(PartialError) {
        if let refused = Self.refusal(of: definition) { throw .refused(refused) }
        self.definition = definition
    }

    /// The first part of a definition that no part of the data can know, in the words of the flags.
    static func refusal(of definition: FunnelDefinition) -> String? {
        if definition.cohort != .everyone { return "a file of users" }
        return definition.asked(in: .session).first.map { "`\(PropertyPath.text($0, in: .session))`, the context of a session," }
    }

    /// Reads everything once and keeps what the parts have to know.
    ///
    /// Memory: the joined ids, and the reader's buffers.
    ///
    /// - Parameters:
    ///   - reader: knows the files.
    ///   - threads: how many decode at a time.
    ///   - progress: called on the calling thread with how far the reading is.
    /// - Throws: `EventFileReadError` where a file cannot be read at all; ``PartialError/refused(_:)`` for what no part can know.
    public static func prepared(
        _ definition: FunnelDefinition, reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors,
        progress: ((ReadProgress) -> Void)? = nil
    ) throws -> FunnelContext {
        var context = try FunnelContext(definition)
        let plan = CompiledFunnel([definition])
        _ = try reader.read(SummaryNeeds(joins: plan.joins), threads: threads, progress: progress) { _ in
            ContextBatch(joins: plan.joins)
        } consume: { batch in
            for line in batch.identified { context.identities.add(line) }
            context.days.add(batch.days)
        }
        return context
    }

    /// - Throws: ``PartialError/unlike`` for the context of another definition.
    public mutating func merge(_ other: FunnelContext) throws(PartialError) {
        guard definition == other.definition else { throw .unlike }
        for line in other.identities.all { identities.add(line) }
        days.add(other.days)
    }

    // MARK: Form

    public init(_ bytes: [UInt8]) throws(PartialError) {
        var reader = try PartialReader(bytes, kind: .context)
        try self.init(try FunnelDefinition(&reader))
        for _ in 0..<(try reader.count()) {
            days.add(count: try reader.size(), first: try reader.signed(), last: try reader.signed())
        }
        for _ in 0..<(try reader.count()) {
            identities.add(
                IdentifiedLine(time: try reader.signed(), anonymous: try reader.fingerprint(), user: try reader.text()))
        }
        try reader.finish()
    }

    /// Whether bytes begin as those of a context do, of whatever version.
    public static func isOne(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "looptrail context ".utf8) }

    /// The context as ``init(_:)-([UInt8])`` reads it; equal contexts have equal bytes.
    public var bytes: [UInt8] {
        var writer = PartialWriter(kind: .context)
        definition.write(to: &writer)
        let entries = days.entries
        writer.put(entries.count)
        for day in entries {
            writer.put(day.count)
            writer.put(signed: day.first)
            writer.put(signed: day.last)
        }
        let lines = identities.all.sorted { ($0.anonymous.high, $0.anonymous.low) < ($1.anonymous.high, $1.anonymous.low) }
        writer.put(lines.count)
        for line in lines {
            writer.put(signed: line.time)
            writer.put(line.anonymous)
            writer.put(line.user)
        }
        return writer.finished()
    }

    /// What parts of one context have in common.
    var fingerprint: Fingerprint { bytes.withUnsafeBytes { Fingerprint.of($0) } }
}

extension FunnelDefinition {
    init(_ reader: inout PartialReader) throws(PartialError) {
        let saved = try reader.text()
        let (since, until) = (try reader.optional(), try reader.optional())
        let (starts, dataEnd) = (try reader.number(), try reader.optional())
        // The fingerprint was right: whoever wrote this made another form than ours.
        guard let funnels = try? SavedFunnel.all(saved), funnels.count == 1,
            let definition = try? funnels[0].definition(since: since, until: until)
        else { throw .damaged(offset: 0) }
        self = definition
        self.starts = starts == 1 ? .mature : .all
        self.dataEnd = dataEnd
    }

    func write(to writer: inout PartialWriter) {
        writer.put(Array(savedJSON.utf8))
        writer.put(since)
        writer.put(until)
        writer.put(starts == .mature ? 1 : 0)
        writer.put(dataEnd)
    }
}

/// What a context keeps of one batch of lines.
private struct ContextBatch: DecodedBatch {
    private(set) var identified: [IdentifiedLine] = []
    private(set) var days = DayCounts()
    private let joins: Bool

    init(joins: Bool) { self.joins = joins }

    mutating func take(_ line: EventHead) {
        if line.kind == .event {
            days.note(line.time)
        } else if joins, let line = IdentifiedLine(line) {
            identified.append(line)
        }
    }

    mutating func takeBadLine() {}
    mutating func adopt(_ facts: SummaryBatchFacts) {}
}
