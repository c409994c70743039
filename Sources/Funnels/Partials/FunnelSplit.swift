public import EventFiles

/// Divides event lines by key, so that each part can be counted by itself and without the files.
///
/// All events of one key go to one part, in the order of the data. An event without a key goes to a part by its id or, without an id, by
/// its line. Meta, timing and bad lines go to no part: the context and the quality have what they say.
public struct FunnelSplit: Sendable {
    /// The most parts.
    public static let maxParts = 4096

    private let context: FunnelContext
    private let parts: Int

    /// - Parameter parts: 1 to ``maxParts``.
    public init(_ context: FunnelContext, parts: Int) {
        precondition((1...Self.maxParts).contains(parts), "a split has 1 to \(Self.maxParts) parts")
        self.context = context
        self.parts = parts
    }

    /// Reads everything once and gives out the lines.
    ///
    /// - Parameters:
    ///   - reader: reads the files.
    ///   - threads: how many decode at a time.
    ///   - progress: called on the calling thread with how far the reading is.
    ///   - body: called for each line in the order of the data, with its part (from 0) and its index among all lines given out.
    /// - Returns: what was read, as a partial to be merged with the others, and file by file.
    /// - Throws: what `body` throws; `EventFileReadError` where a file cannot be read at all.
    public func lines(
        reading reader: EventFileReader, threads: Int = EventFileReader.activeProcessors, progress: ((ReadProgress) -> Void)? = nil,
        _ body: (_ part: Int, _ index: Int, _ line: ArraySlice<UInt8>) throws -> Void
    ) throws -> (quality: FunnelPartial, reading: ReadResult) {
        let (key, parts) = (KeyReader(context.definition.key), UInt64(parts))
        let joined = context.definition.identify && context.definition.key == .user ? context.identities.joined : [:]
        var quality = ReadQuality()
        var index = 0
        var given = Array(repeating: 0, count: self.parts)
        let result = try reader.readLines(threads: threads, progress: progress) {
            SplitBatch(head: BatchHead(expecting: $0.lineCount), key: key, joined: joined, parts: parts)
        } consume: { batch in
            quality.take(batch.head, names: batch.names)
            for line in batch.lines {
                try body(line.part, index, batch.bytes[line.range])
                index += 1
                given[line.part] += 1
            }
        }
        quality.input.add(result)
        return (FunnelPartial(context, quality: quality, PartLedger(split: given)), result)
    }
}

private struct SplitBatch: HeadedBatch {
    var head: BatchHead
    private(set) var bytes: [UInt8] = []
    private(set) var lines: [(part: Int, range: Range<Int>)] = []
    var names: [[UInt8]] { table.names }

    var table = NameTable()
    let key: KeyReader
    let joined: [Fingerprint: Fingerprint]
    let parts: UInt64

    mutating func take(_ event: EventHead) {
        guard head.take(event) else { return }
        _ = table.number(of: event.name)
        let own = key.fingerprint(event)
        var divider = joined[own] ?? own
        if divider.isNone { divider = event.id.isNone ? .of(event.line) : event.id }
        let start = bytes.count
        bytes += event.line
        lines.append((Int(divider.low % parts), start..<bytes.count))
    }
}
