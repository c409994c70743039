import Basics
internal import TrackingEvents

/// Cuts the chunks of one file, given in order, into whole lines and numbers them. Joins a line that lies over the edge of two chunks.
/// Drops a part of a line that stands beside damage: the rest of the line is unknown.
final class LineStitcher {
    struct Result {
        var runs: [LineRun] = []
        let firstLineNumber: Int
        var lines = 0
        var joined: [ByteBuffer] = []

        func withBatch<Output, Failure: Error>(
            of chunk: Chunk, in workspace: Workspace, file: Int = 0, path: String, _ body: (borrowing LineBatch) throws(Failure) -> Output
        ) throws(Failure) -> Output? {
            if runs.isEmpty { return nil }
            let batch = LineBatch(
                fileIndex: file, path: path, firstLineNumber: firstLineNumber, lineCount: lines, runs: runs, raw: workspace.raw.raw,
                marks: workspace.marks, isPlain: chunk.isPlain)
            return try withExtendedLifetime(joined) { () throws(Failure) in try body(batch) }
        }
    }

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// Most lines are longer, so the array of their ends rarely has to grow.
    private static let fewBytesPerLine = 128

    private var lines = 0
    /// Whether a byte order mark may still come: so far there were no bytes, or only the mark's first ones, which `carry` holds.
    private var isAtFileStart = true
    /// The part of a line that the last chunk ended with.
    private var carry: ByteBuffer?
    private var carryOffset: Int64 = 0
    /// Whether the rest of a line is passed over, because of damage or its length. If it is too long, `longBytes` is its length so far.
    private var isSkipping = false
    private var longBytes: Int64?
    private var longLines: [Damage] = []

    func stitch(_ chunk: inout Chunk, in workspace: Workspace) -> Result {
        defer { chunk.damage += exchange(&longLines, with: []) }
        var result = Result(firstLineNumber: lines + 1)
        if chunk.followsDamage { breakLine(nextBeginsLine: chunk.beginsLine) }
        for piece in workspace.pieces {
            if piece.followsDamage { breakLine() }
            stitch(piece.range, of: workspace, isPlain: chunk.isPlain, &result)
        }
        if chunk.endsInDamage { breakLine(nextBeginsLine: chunk.nextBeginsLine) }
        if chunk.isLast {
            endLongLine(0)
            if let rest = carry.take(), rest.count > 0 { add(rest, &result) }
        }
        lines += result.lines
        chunk.lines = result.lines
        return result
    }

    private func stitch(_ range: Range<Int>, of workspace: Workspace, isPlain: Bool, _ result: inout Result) {
        let raw = workspace.raw.raw
        var start = range.lowerBound
        if isAtFileStart { start = endOfByteOrderMark(in: raw, range) }
        let bytes = UnsafeRawBufferPointer(rebasing: raw[..<range.upperBound])
        if isSkipping {
            guard let end = JSONBytes.first(0x0A, in: bytes, from: start) else {
                longBytes? += Int64(range.upperBound - start)
                return
            }
            endLongLine(end - start)
            isSkipping = false
            start = end + 1
        } else if let carry {
            let end = JSONBytes.first(0x0A, in: bytes, from: start)
            carry.append(UnsafeRawBufferPointer(rebasing: bytes[start..<(end ?? range.upperBound)]))
            if carry.count > EventFileReader.lineLimit {
                isSkipping = end == nil
                longBytes = Int64(carry.count)
                self.carry = nil
                if end != nil { endLongLine(0) }
            }
            guard let end else { return }
            if let joined = self.carry.take() {
                joined.append(0x0A)
                add(joined, &result)
            }
            start = end + 1
        }
        var ends: [UInt32] = []
        ends.reserveCapacity((bytes.count - start) / Self.fewBytesPerLine)
        var next = start
        while let end = JSONBytes.first(0x0A, in: bytes, from: next) {
            ends.append(UInt32(end - start))
            next = end + 1
        }
        if next > start {
            let run = UnsafeRawBufferPointer(rebasing: bytes[start..<next])
            result.runs.append(LineRun(bytes: run, fileOffset: workspace.marks.offset(at: start, isPlain: isPlain), ends: ends))
            result.lines += ends.count
            start = next
        }
        if start < bytes.count {
            let rest = ByteBuffer(capacity: bytes.count - start + 256)
            rest.append(UnsafeRawBufferPointer(rebasing: bytes[start...]))
            carry = rest
            carryOffset = workspace.marks.offset(at: start, isPlain: isPlain)
        }
    }

    /// Where the text begins. If the range cuts a byte order mark, its bytes become the carry, and the next range decides.
    private func endOfByteOrderMark(in raw: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
        var index = range.lowerBound
        for byte in Self.byteOrderMark.dropFirst(carry?.count ?? 0) {
            if index == range.upperBound { return range.lowerBound }
            isAtFileStart = raw[index] == byte
            guard isAtFileStart else { return range.lowerBound }
            index += 1
        }
        isAtFileStart = false
        carry = nil
        return index
    }

    private func add(_ joined: ByteBuffer, _ result: inout Result) {
        result.runs.append(LineRun(bytes: joined.raw, fileOffset: carryOffset))
        result.joined.append(joined)
        result.lines += 1
    }

    /// Drops the part of a line before damage. If there was one, passes over all up to the next line feed, unless a line begins there.
    private func breakLine(nextBeginsLine: Bool = false) {
        endLongLine(0)
        if carry != nil {
            isSkipping = true
            isAtFileStart = false
        }
        if nextBeginsLine { isSkipping = false }
        carry = nil
    }

    private func endLongLine(_ more: Int) {
        guard let length = longBytes.take() else { return }
        longLines.append(.longLine(at: carryOffset, bytes: length + Int64(more)))
    }
}
