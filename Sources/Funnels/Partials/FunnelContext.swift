public import EventFiles

/// What each part of the data has to know about all of it: the definition with its times resolved, the time zone of the days that claims
/// compare, which anonymous ids became which users, and when the data ends.
///
/// The contexts of parts of the data merge into the context of all of it, in any order.
public struct FunnelContext: Sendable {
    public let definition: FunnelDefinition
    /// The name of the time zone whose days claims are adjusted for. Each part must be counted with its days.
    public private(set) var zone: String
    var identities = Identities()
    var days = DayCounts()

    /// When the data ends; `nil` without events.
    var end: DataEnd? { definition.end(of: days) }

    /// - Throws: ``PartialError/refused(_:)`` for what no part can know.
    init(_ definition: FunnelDefinition, zone: String = "UTC") throws(PartialError) {
        if let refused = Self.refusal(of: definition) { throw .refused(refused) }
        (self.definition, self.zone) = (definition, zone)
    }

    /// The first thing that a definition asks for and that no part of the data can know, in the words of the flags.
    static func refusal(of definition: FunnelDefinition) -> String? {
        if definition.cohort != .everyone { return "a file of users" }
        return definition.asked(in: .session).first.map { "`\(PropertyPath.text($0, in: .session))`, the context of a session," }
    }

    /// Reads everything once and keeps what the parts have to know.
    ///
    /// It reads as ``EventQuestion/answer(reading:threads:progress:)`` does. Memory: the joined ids, and the reader's buffers.
    ///
    /// - Throws: `EventFileReadError` where a file cannot be read at all; ``PartialError/refused(_:)`` for what no part can know.
    public static func prepared(
        _ definition: FunnelDefinition, daysOf zone: String = "UTC", reading reader: EventFileReader,
        threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil
    ) throws -> FunnelContext {
        var context = try FunnelContext(definition, zone: zone)
        let plan = CompiledFunnel([definition])
        _ = try reader.read(
            SummaryNeeds(joins: plan.joins), threads: threads, progress: progress, into: { _ in ContextBatch(joins: plan.joins) },
            consume: { context.add($0.identified, $0.days) })
        return context
    }

    /// - Throws: ``PartialError/unlike`` for the context of another definition or time zone.
    public mutating func merge(_ other: FunnelContext) throws(PartialError) {
        guard definition == other.definition, zone == other.zone else { throw .unlike }
        add(other.identities.all, other.days)
    }

    private mutating func add(_ lines: some Sequence<IdentifiedLine>, _ days: DayCounts) {
        for line in lines { identities.add(line) }
        self.days.add(days)
    }

    public init(_ bytes: [UInt8]) throws(PartialError) {
        var coder = try PartialCoder(bytes, kind: .context)
        try self.init(try FunnelDefinition.coded(nil, &coder))
        try code(&coder)
        try coder.finish()
    }

    /// Whether bytes begin as those of a context do, of any version.
    public static func isOne(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "looptrail context ".utf8) }

    /// The context as ``init(_:)-([UInt8])`` reads it; equal contexts have equal bytes.
    public var bytes: [UInt8] {
        var copy = self
        return PartialCoder.written(.context) { coder throws(PartialError) in
            _ = try FunnelDefinition.coded(definition, &coder)
            try copy.code(&coder)
        }
    }

    private mutating func code(_ coder: inout PartialCoder) throws(PartialError) {
        var name = Array(zone.utf8)
        try coder.text(&name)
        zone = String(decoding: name, as: UTF8.self)
        var entries = days.entries
        try coder.list(&entries, (0, 0, 0)) { coder, day throws(PartialError) in
            try coder.size(&day.count)
            try coder.signed(&day.first)
            try coder.signed(&day.last)
        }
        var lines = identities.all.sorted { ($0.anonymous.high, $0.anonymous.low) < ($1.anonymous.high, $1.anonymous.low) }
        try coder.list(&lines, IdentifiedLine(time: 0, anonymous: .none, user: [])) { coder, line throws(PartialError) in
            try coder.signed(&line.time)
            try coder.fingerprint(&line.anonymous)
            try coder.text(&line.user)
        }
        guard coder.isReading else { return }
        for day in entries { days.add(count: day.count, first: day.first, last: day.last) }
        for line in lines { identities.add(line) }
    }

    /// The fingerprint of the bytes: parts that have it in common belong to one context.
    var fingerprint: Fingerprint { bytes.withUnsafeBytes { Fingerprint.of($0) } }
}

extension FunnelDefinition {
    /// Writes a definition, or reads the one that comes next.
    static func coded(_ definition: FunnelDefinition?, _ coder: inout PartialCoder) throws(PartialError) -> FunnelDefinition {
        var saved = Array((definition?.savedJSON ?? "").utf8)
        var (since, until, dataEnd) = (definition?.since, definition?.until, definition?.dataEnd)
        var isMature = definition?.starts == .mature
        try coder.text(&saved)
        try coder.optional(&since)
        try coder.optional(&until)
        try coder.flag(&isMature)
        try coder.optional(&dataEnd)
        if let definition { return definition }
        guard let funnels = try? SavedFunnel.all(saved), funnels.count == 1,
            var read = try? funnels[0].definition(since: since, until: until)
        else { throw .unknownDefinition }
        (read.starts, read.dataEnd) = (isMature ? .mature : .all, dataEnd)
        return read
    }
}

private struct ContextBatch: DecodedBatch {
    var identified: [IdentifiedLine] = []
    var days = DayCounts()
    let joins: Bool

    mutating func take(_ line: EventHead) {
        if line.kind == .event {
            days.note(line.time)
        } else if joins, let line = IdentifiedLine(line) {
            identified.append(line)
        }
    }
}
