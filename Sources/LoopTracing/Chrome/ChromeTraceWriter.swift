import Basics
import TrackingEvents

/// Keeps a file of the Trace Event Format whole: whatever is added goes over the closing bracket and brings a new one, in one write.
///
/// Not `Sendable`: its owner guards it.
struct ChromeTraceWriter {
    private static let closing: StaticString = "\n]\n"
    /// So many bytes are kept free for the mark that tells of lost spans.
    private static let room = 256

    private let output: any TraceOutput
    private let sizeLimit: Int
    private var encoder: ChromeTraceEncoder
    private let bytes = ByteBuffer(capacity: 1 << 14)
    /// Where the closing bracket begins.
    private var end = 0

    private(set) var written = 0
    private(set) var lost = 0
    private var lossTold = 0
    /// Nothing is written after it.
    private(set) var failure: TraceOutputError?

    init(_ output: any TraceOutput, process: String, pid: Int32, sizeLimit: Int) throws(TraceOutputError) {
        self.output = output
        self.sizeLimit = sizeLimit
        encoder = ChromeTraceEncoder(pid: pid)
        bytes.append("[\n")
        encoder.encodeProcess(process, to: bytes)
        let count = bytes.count
        bytes.append(Self.closing)
        try output.write(bytes.raw, at: 0)
        end = count
    }

    mutating func add(_ spans: [TraceSpan], lost moreLost: Int) {
        lost += moreLost
        if failure != nil {
            lost += spans.count
            return
        }
        bytes.removeAll()
        var added = 0
        for span in spans {
            let before = bytes.count
            let encoderBefore = encoder
            encoder.encode(span, to: bytes)
            if end + bytes.count + Self.room > sizeLimit {
                bytes.truncate(to: before)
                encoder = encoderBefore
                lost += 1
            } else {
                added += 1
            }
        }
        if !bytes.bytes.isEmpty && write() { written += added } else { lost += added }
    }

    /// Marks in the file how many spans are missing, if any are.
    mutating func tellLoss() {
        guard lost > lossTold, failure == nil else { return }
        bytes.removeAll()
        encoder.encodeLoss(of: lost - lossTold, to: bytes)
        guard end + bytes.count + Self.closing.utf8CodeUnitCount <= sizeLimit else { return }
        if write() { lossTold = lost }
    }

    /// - Returns: whether all of it is in the file; else the file is as it was.
    private mutating func write() -> Bool {
        let count = bytes.count
        bytes.append(Self.closing)
        do throws(TraceOutputError) {
            try output.write(bytes.raw, at: end)
            end += count
            return true
        } catch {
            failure = error
            restore()
            return false
        }
    }

    /// After a write that broke off: the bracket had its place there before.
    private mutating func restore() {
        bytes.removeAll()
        bytes.append(Self.closing)
        // Where even this fails, the file has lost its bracket, which the format allows, and ends within a line.
        do throws(TraceOutputError) {
            try output.truncate(to: end)
            try output.write(bytes.raw, at: end)
        } catch { return }
    }
}
