import Basics
import CZlib
import Foundation
import TestSupport
import TrackingEvents

@testable import EventFiles

/// A folder for one test. It is removed with this object.
final class ReadingFolder {
    let path: String

    init() throws {
        path = testFolders + "looptrail-reading-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, making folders on the way, and gives its path.
    @discardableResult
    func write(_ bytes: [UInt8], _ name: String = "events.ndjson.gz") throws -> String {
        let file = path + "/" + name
        // By bytes: to Foundation a slash with a combining mark behind it is no slash.
        let folder = file.utf8.prefix(upTo: file.utf8.lastIndex(of: UInt8(ascii: "/")) ?? file.utf8.endIndex)
        try FileManager.default.createDirectory(atPath: String(Substring(folder)), withIntermediateDirectories: true)
        guard let stream = fopen(file, "w") else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { fclose(stream) }
        guard fwrite(bytes, 1, bytes.count, stream) == bytes.count else { throw POSIXError(.EIO) }
        return file
    }

    @discardableResult
    func write(_ text: String, _ name: String) throws -> String { try write(Array(text.utf8), name) }
}

/// Makes gzip as other tools and as this package write it.
enum Gzip {
    /// Blocked members, one for each text, and the end member.
    static func blocked(_ texts: [String], end: Bool = true) -> [UInt8] {
        let deflater = BGZFDeflater(level: 6)
        let output = ByteBuffer(capacity: 1024)
        for text in texts { Array(text.utf8).withUnsafeBufferPointer { deflater.appendMember(of: $0, to: output) } }
        if end { output.append(BGZF.endMember) }
        return Array(output.bytes)
    }

    /// Blocked members of fixed raw size that cut lines anywhere, as bgzip writes them.
    static func bgzip(_ text: String, size: Int, end: Bool = true) -> [UInt8] {
        let bytes = Array(text.utf8)
        let deflater = BGZFDeflater(level: 6)
        let output = ByteBuffer(capacity: 1024)
        for start in stride(from: 0, to: bytes.count, by: size) {
            bytes[start..<min(start + size, bytes.count)].withUnsafeBufferPointer { deflater.appendMember(of: $0, to: output) }
        }
        if end { output.append(BGZF.endMember) }
        return Array(output.bytes)
    }

    /// One ordinary member, with the optional header fields asked for.
    static func ordinary(_ bytes: [UInt8], name: String? = nil, comment: String? = nil, extra: [UInt8]? = nil, headerCRC: Bool = false)
        -> [UInt8]
    {
        var flags: UInt8 = 0
        var fields: [UInt8] = []
        if let extra {
            flags |= 4
            fields += [UInt8(truncatingIfNeeded: extra.count), UInt8(truncatingIfNeeded: extra.count >> 8)] + extra
        }
        if let name {
            flags |= 8
            fields += Array(name.utf8) + [0]
        }
        if let comment {
            flags |= 16
            fields += Array(comment.utf8) + [0]
        }
        if headerCRC { flags |= 2 }
        var member: [UInt8] = [0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 3] + fields
        if headerCRC {
            let crc = crc32(0, member, UInt32(member.count))
            member += [UInt8(truncatingIfNeeded: crc), UInt8(truncatingIfNeeded: crc >> 8)]
        }
        member += deflated(bytes)
        let crc = UInt32(truncatingIfNeeded: bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) })
        for word in [bytes.isEmpty ? 0 : crc, UInt32(truncatingIfNeeded: bytes.count)] {
            for shift in [UInt32(0), 8, 16, 24] { member.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        return member
    }

    static func ordinary(_ text: String) -> [UInt8] { ordinary(Array(text.utf8)) }

    /// A raw deflate stream.
    static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: bytes.count + bytes.count / 1000 + 128)
        return input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                _ = deflate(&stream, Z_FINISH)
                return Array(output[..<Int(stream.total_out)])
            }
        }
    }
}

/// The lines that were read, and the report.
struct ReadLines {
    var lines: [String] = []
    var report = ReadResult()

    var damage: [Damage] { report.files.flatMap(\.damage) }

    /// Reads on several threads and checks what every reading has to keep.
    static func of(_ paths: [String], threads: Int = 2, standardInput: Int32 = 0) throws -> ReadLines {
        let reader = try EventFileReader(paths: paths, standardInput: standardInput)
        var result = ReadLines()
        var nextLine: [Int: Int] = [:]
        result.report = try reader.read(
            threads: threads,
            map: { batch in
                var lines: [String] = []
                var offsets: [Int64] = []
                batch.forEachLine { line in
                    lines.append(String(decoding: line, as: UTF8.self))
                    offsets.append(batch.byteOffset(of: line))
                }
                precondition(lines.count == batch.lineCount, "\(lines.count) lines in a batch of \(batch.lineCount)")
                return (batch.fileIndex, batch.firstLineNumber, lines, offsets)
            },
            consume: { file, first, lines, offsets in
                precondition(first == nextLine[file, default: 1], "line numbers have a gap")
                precondition(offsets == offsets.sorted(), "offsets do not rise")
                nextLine[file] = first + lines.count
                result.lines += lines
            })
        precondition(result.report.lines == result.lines.count, "the report counts other lines")
        return result
    }

    static func of(_ path: String, threads: Int = 2) throws -> ReadLines { try of([path], threads: threads) }
}
