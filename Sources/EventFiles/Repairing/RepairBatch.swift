import Basics
import TrackingEvents

/// The good lines of one batch, with what is to be known of each; made on whatever thread decompressed them.
struct RepairBatch: Sendable {
    struct Line: Sendable {
        /// Where in ``bytes`` it ends, its line feed included.
        var end: Int
        /// The fingerprint of its id, if it has one.
        var id: Fingerprint?
        var isMended: Bool
    }

    private(set) var bytes: [UInt8] = []
    private(set) var lines: [Line] = []
    private(set) var badLines = 0
    private(set) var firstBadLines: [CheckResult.BadLineFound] = []
    /// Sessions and `dropped` lines of the good lines.
    let check: CheckBatch

    init(_ batch: borrowing LineBatch) {
        bytes.reserveCapacity(batch.byteCount)
        lines.reserveCapacity(batch.lineCount)
        let scanner = EventLineScanner(.wholeLine)
        let scratch = ByteBuffer(capacity: 64)
        var kept: [UInt8] = []
        kept.reserveCapacity(batch.byteCount)
        var found: [Line] = []
        var bad: [CheckResult.BadLineFound] = []
        var badCount = 0
        var number = batch.firstLineNumber
        batch.forEachLine { line in
            defer { number += 1 }
            do throws(BadLine) {
                let mended = LineMending.mended(line)
                let id = try (mended?.withUnsafeBytes { Self.id(of: $0, scanner, scratch) } ?? Self.id(of: line, scanner, scratch)).get()
                if let mended { kept += mended } else { kept += line }
                kept.append(UInt8(ascii: "\n"))
                found.append(Line(end: kept.count, id: id, isMended: mended != nil))
            } catch {
                badCount += 1
                if bad.count < CheckResult.exampleLimit {
                    bad.append(.init(lineNumber: number, byteOffset: batch.byteOffset(of: line), problem: error))
                }
            }
        }
        bytes = kept
        lines = found
        badLines = badCount
        firstBadLines = bad
        check = kept.withUnsafeBytes { bytes in
            CheckBatch(
                LineBatch(
                    fileIndex: batch.fileIndex, path: batch.path, firstLineNumber: 1, lineCount: found.count,
                    runs: [LineRun(bytes: bytes, fileOffset: 0)], raw: bytes, marks: [], isPlain: false))
        }
    }

    /// The fingerprint of a good line's id, if it has one.
    private static func id(
        of line: UnsafeRawBufferPointer, _ scanner: EventLineScanner, _ scratch: ByteBuffer
    ) -> Result<Fingerprint?, BadLine> {
        do throws(BadLine) {
            let event = try scanner.scan(line)
            return .success(event.id.isEmpty ? nil : Fingerprint.of(event.id.unescaped(in: line, scratch: scratch)))
        } catch {
            return .failure(error)
        }
    }
}
