import Basics

/// Keeps the file of a ``ChromeTraceFile`` a closed JSON array. Not `Sendable`: its owner guards it by a lock.
struct ChromeTraceWriter {
    private static let closing: StaticString = "\n]\n"
    /// Bytes reserved for the mark of lost spans.
    private static let room = 256

    private let output: any TraceOutput
    private let maxBytes: Int
    private var encoder: ChromeTraceEncoder
    private let bytes = ByteBuffer(capacity: 1 << 14)
    /// Where the closing bracket begins.
    private var end = 0

    private(set) var written = 0
    private(set) var lost = 0
    private var markedLoss = 0
    /// Why a write failed. Nothing is written after a failure.
    private(set) var failure: TraceOutputError?
    /// Whether a span found no room. Later ones are counted as lost and not encoded, even if they would fit.
    private var isFull = false

    init(_ output: any TraceOutput, process: String, pid: Int32, maxBytes: Int) throws(TraceOutputError) {
        (self.output, self.maxBytes, encoder) = (output, maxBytes, ChromeTraceEncoder(pid: pid))
        bytes.append("[\n")
        encoder.encodeName("process_name", of: 0, process, to: bytes)
        let count = bytes.count
        bytes.append(Self.closing)
        try output.write(bytes.raw, at: 0)
        end = count
    }

    mutating func add(_ spans: [TraceSpan], lost moreLost: Int) {
        // All count as lost until they are written.
        lost += moreLost + spans.count
        if failure != nil { return }
        bytes.removeAll()
        var added = 0
        for span in spans where !isFull {
            let before = bytes.count
            encoder.encode(span, to: bytes)
            isFull = end + bytes.count + Self.room > maxBytes
            if isFull { bytes.truncate(to: before) } else { added += 1 }
        }
        if !bytes.bytes.isEmpty && write() {
            written += added
            lost -= added
        }
        // Marked now: the file may never be finished. A nearly full file keeps its room for the last mark.
        if moreLost > 0, end + 2 * Self.room <= maxBytes { markLoss() }
    }

    /// Marks in the file how many spans were lost since the last mark, if any.
    mutating func markLoss() {
        guard lost > markedLoss, failure == nil else { return }
        bytes.removeAll()
        encoder.encodeLoss(of: lost - markedLoss, to: bytes)
        guard end + bytes.count + Self.closing.utf8CodeUnitCount <= maxBytes else { return }
        if write() { markedLoss = lost }
    }

    /// Returns `false` if the write failed. The file is then put back as it was, if that can be done.
    private mutating func write() -> Bool {
        let count = bytes.count
        bytes.append(Self.closing)
        do throws(TraceOutputError) {
            try output.write(bytes.raw, at: end)
            end += count
        } catch {
            failure = error
            bytes.removeAll()
            bytes.append(Self.closing)
            // If even this fails, the file ends within a line and without its bracket, which the format allows.
            if (try? output.truncate(to: end)) != nil { try? output.write(bytes.raw, at: end) }
        }
        return failure == nil
    }
}
