internal import TrackingEvents

/// Whole lines of one file, in its order, as raw bytes. Valid only while the closure that it is passed to runs.
public struct LineBatch: ~Copyable {
    /// The index of the file among ``EventFileReader/files``.
    public let fileIndex: Int
    public let path: String
    /// The number of the first line, counted from 1 over the lines of the file that could be read.
    public let firstLineNumber: Int
    public let lineCount: Int

    /// Runs of whole lines. A line over the edge of two chunks, and a last line without a line feed, are runs of their own.
    let runs: [LineRun]
    let raw: UnsafeRawBufferPointer
    let marks: [Workspace.Mark]
    let isPlain: Bool

    /// Bytes of all lines, line feeds included.
    public var byteCount: Int { runs.reduce(0) { $0 + $1.bytes.count } }

    /// Hands over each line without its line feed, in order.
    public func forEachLine<Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
        for run in runs {
            if run.ends.isEmpty {
                try Self.forEachLine(of: run.bytes, body)
                continue
            }
            var start = 0
            for end in run.ends {
                try body(UnsafeRawBufferPointer(rebasing: run.bytes[start..<Int(end)]))
                start = Int(end) + 1
            }
        }
    }

    static func forEachLine<Failure: Error>(
        of bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        var start = 0
        while start < bytes.count {
            let end = JSONBytes.first(0x0A, in: bytes, from: start) ?? bytes.count
            try body(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            start = end + 1
        }
    }

    /// Where in the file a line stands, in bytes: the beginning of the member that holds its first byte, or of the line in a plain file.
    ///
    /// - Parameter line: as ``forEachLine(_:)`` gave it.
    /// - Complexity: O(runs + log members); a batch without damage has at most three runs.
    public func byteOffset(of line: UnsafeRawBufferPointer) -> Int64 {
        guard let start = line.baseAddress else { return 0 }
        for run in runs {
            guard let base = run.bytes.baseAddress, start >= base, start < base + run.bytes.count else { continue }
            guard let rawBase = raw.baseAddress, base >= rawBase, base < rawBase + raw.count else { return run.fileOffset }
            return marks.offset(at: start - rawBase, isPlain: isPlain)
        }
        return 0
    }
}

struct LineRun {
    var bytes: UnsafeRawBufferPointer
    /// Where in the file the bytes come from, see ``LineBatch/byteOffset(of:)``.
    var fileOffset: Int64
    /// The offsets of the line feeds in `bytes`; empty if they have not been looked for.
    var ends: [UInt32] = []
}

extension [Workspace.Mark] {
    func offset(at rawOffset: Int, isPlain: Bool) -> Int64 {
        guard !isEmpty else { return 0 }
        var (low, high) = (0, count)
        while low + 1 < high {
            let middle = (low + high) / 2
            if self[middle].rawStart <= rawOffset { low = middle } else { high = middle }
        }
        return self[low].fileOffset + (isPlain ? Int64(rawOffset - self[low].rawStart) : 0)
    }
}
