import Basics
import Foundation
import Testing
import TrackingEvents

@testable import EventFiles

#if canImport(Glibc)
import Glibc
#endif

/// How many bytes wait in a pipe.
private func waitingBytes(in descriptor: Int32) -> Int32 {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? count : 0
}

@Suite struct ReadRunTests {
    private let folder: ReadingFolder
    init() throws { folder = try ReadingFolder() }

    private struct Stop: Error {}

    /// Several files of all framings, large enough for many chunks, and their lines.
    private func manyFiles() throws -> [String] {
        var lines: [String] = []
        for file in 0..<7 {
            let own = (0..<(file == 3 ? 30_000 : 6000)).map {
                "{\"file\":\(file),\"line\":\($0),\"padding\":\"\(String(repeating: "x", count: $0 % 90))\"}"
            }
            lines += own
            let text = own.map { $0 + "\n" }.joined()
            let name = "\(file).ndjson.gz"
            switch file % 4 {
            case 0: try folder.write(Gzip.bgzip(text, size: 65_280), name)
            case 1: try folder.write(Gzip.ordinary(text), name)
            case 2: try folder.write(text, name)
            default:
                try folder.write(
                    Gzip.blocked(
                        stride(from: 0, to: own.count, by: 500).map { own[$0..<min($0 + 500, own.count)].map { $0 + "\n" }.joined() }), name
                )
            }
        }
        return lines
    }

    @Test func `results come in the order of files and lines, however many threads and however few may wait`() throws {
        let expected = try manyFiles()
        var reader = try EventFileReader(paths: [folder.path])
        for (threads, pending) in [1, 2, 3, 8].flatMap({ threads in [0, 1, 2, 128].map { (threads, $0) } }) {
            reader.pendingLimit = pending
            var lines: [String] = []
            var progress: [ReadProgress] = []
            let report = try reader.read(
                threads: threads,
                map: { batch in
                    var lines: [String] = []
                    batch.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
                    return lines
                }, consume: { lines += $0 }, progress: { progress.append($0) })
            let isInOrder = lines == expected
            #expect(isInOrder && report.lines == expected.count, "\(threads) threads, \(pending) may wait")
            #expect(progress.map(\.bytes) == progress.map(\.bytes).sorted() && progress.map(\.lines) == progress.map(\.lines).sorted())
            #expect(progress.last == ReadProgress(bytes: report.bytes, lines: report.lines))
            #expect(report.bytes == reader.files.reduce(0) { $0 + ($1.bytes ?? 0) })
        }
    }

    @Test func `an error that consume throws ends the reading on all threads`() throws {
        _ = try manyFiles()
        let reader = try EventFileReader(paths: [folder.path])
        let inside = Lock(0)
        #expect(throws: Stop.self) {
            try reader.read(
                threads: 4,
                map: { batch in
                    inside.withLock { $0 += 1 }
                    defer { inside.withLock { $0 -= 1 } }
                    return batch.lineCount
                }, consume: { _ in throw Stop() })
        }
        #expect(inside.withLock { $0 } == 0)
    }

    @Test func `a file that cannot be opened is an error, after the files before it`() throws {
        try folder.write("{}\n{}\n", "a.ndjson")
        let locked = try folder.write("{}\n", "b.ndjson")
        // A link to itself cannot be opened by anybody, not even by root.
        let reader = try EventFileReader(paths: [folder.path])
        try FileManager.default.removeItem(atPath: locked)
        try FileManager.default.createSymbolicLink(atPath: locked, withDestinationPath: locked)
        var lines = 0
        #expect(throws: EventFileReadError.system(path: locked, call: "open", errno: ELOOP, offset: 0)) {
            try reader.read(threads: 2, map: { $0.lineCount }, consume: { lines += $0 })
        }
        #expect(lines == 2)
    }

    @Test func `no descriptor is left behind`() throws {
        _ = try manyFiles()
        guard FileManager.default.fileExists(atPath: "/proc/self/fd") else { return }
        let reader = try EventFileReader(paths: [folder.path])
        // Other tests run at the same time and open and close as they please, so the path is looked for.
        _ = try reader.read(threads: 4, map: { $0.lineCount }, consume: { _ in })
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?.hasPrefix(folder.path) == true
        }
        #expect(open == [])
    }

    @Test(arguments: [FileFraming.blocked, .gzip, .plain])
    func `standard input is read from a pipe, in whatever pieces it comes`(framing: FileFraming) throws {
        let lines = (0..<20_000).map { "{\"line\":\($0)}" }
        let text = lines.map { $0 + "\n" }.joined()
        let bytes = framing == .blocked ? Gzip.bgzip(text, size: 9999) : framing == .gzip ? Gzip.ordinary(text) : Array(text.utf8)
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (readEnd, writeEnd) = (ends[0], ends[1])
        let feeder = Thread {
            var place = 0
            var piece = 1
            while place < bytes.count {
                let wrote = bytes.withUnsafeBytes { write(writeEnd, $0.baseAddress! + place, min(piece, bytes.count - place)) }
                if wrote <= 0 { break }
                place += wrote
                piece = min(piece * 2, 30_011)
            }
            close(writeEnd)
        }
        feeder.start()
        let read = try ReadLines.of(["-"], threads: 2, standardInput: readEnd)
        #expect(read.lines == lines)
        #expect(read.report.files.map(\.path) == ["-"])
        #expect(read.report.files[0].framing == framing)
        #expect(read.report.bytes == Int64(bytes.count))
        #expect(read.damage == [])
        // The descriptor is the caller's and stays open.
        #expect(close(readEnd) == 0)
    }

    @Test(arguments: [true, false])
    func `a header that comes through a pipe in pieces is waited for, however long it is`(isBlocked: Bool) throws {
        // Another program's field before the size field, as dictzip writes it: 20,000 bytes.
        let foreign: [UInt8] = [0x52, 0x41, 0x20, 0x4E] + [UInt8](repeating: 1, count: 20_000)
        let ordinary = Gzip.ordinary(Array("{}\n".utf8), extra: foreign)
        let size = ordinary.count + 6 - 1
        let blocked = Gzip.ordinary(
            Array("{}\n".utf8), extra: foreign + [0x42, 0x43, 2, 0, UInt8(size & 0xFF), UInt8(size >> 8)])
        let bytes = isBlocked ? blocked + BGZF.endMember : ordinary
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (readEnd, writeEnd) = (ends[0], ends[1])
        let feeder = Thread {
            // Each piece is less than a pipe holds, and the next one waits until the reader has taken the first.
            for start in stride(from: 0, to: bytes.count, by: 600) {
                let piece = Array(bytes[start..<min(start + 600, bytes.count)])
                if write(writeEnd, piece, piece.count) <= 0 { break }
                while start == 0, waitingBytes(in: readEnd) > 0 { sched_yield() }
            }
            close(writeEnd)
        }
        feeder.start()
        let read = try ReadLines.of(["-"], standardInput: readEnd)
        close(readEnd)
        #expect(read.lines == ["{}"] && read.damage == [])
        #expect(read.report.files[0].framing == (isBlocked ? .blocked : .gzip))
    }

    @Test func `damage in a pipe is passed over as in a file`() throws {
        let texts = (0..<3).map { "{\"member\":\($0)}\n" }
        var bytes = Gzip.blocked(texts) + [0, 0, 0]
        bytes[20] ^= 0xFF
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        #expect(write(ends[1], bytes, bytes.count) == bytes.count)
        close(ends[1])
        let read = try ReadLines.of(["-"], standardInput: ends[0])
        close(ends[0])
        #expect(read.lines == ["{\"member\":1}", "{\"member\":2}"])
        #expect(read.damage.map(\.kind) == [.member, .foreignBytes])
    }

    @Test(arguments: [FileFraming.blocked, .gzip, .plain])
    func `a line that is too long is passed over and reported, and its neighbours are read`(framing: FileFraming) throws {
        let limit = EventFileReader.lineLimit
        for length in [limit - 1, limit, limit + 1, 3 * limit + 17] {
            let text = "{\"first\":1}\n" + String(repeating: "x", count: length) + "\n{\"last\":1}\n"
            let bytes = framing == .blocked ? Gzip.bgzip(text, size: 65_280) : framing == .gzip ? Gzip.ordinary(text) : Array(text.utf8)
            let read = try ReadLines.of(try folder.write(bytes))
            let isLong = length > limit
            #expect(read.lines.count == (isLong ? 2 : 3))
            #expect(read.lines.first == "{\"first\":1}" && read.lines.last == "{\"last\":1}")
            #expect(read.damage.map(\.kind) == (isLong ? [.longLine] : []))
            #expect(read.report.longLines == (isLong ? 1 : 0))
            #expect(read.report.damagedMembers == 0)
            if isLong {
                #expect(read.damage[0].bytes == Int64(length))
                #expect(read.damage[0].byteOffset == (framing == .plain ? 12 : 0))
            }
        }
    }

    @Test func `a long line at the end of a file is reported, too`() throws {
        let text = "{}\n" + String(repeating: "x", count: 2 * EventFileReader.lineLimit)
        let read = try ReadLines.of(try folder.write(text, "a.ndjson"))
        #expect(read.lines == ["{}"])
        #expect(read.damage.map(\.bytes) == [Int64(2 * EventFileReader.lineLimit)])
    }

    @Test func `a blocked member that claims little and holds much is damage`() throws {
        let bomb = Gzip.ordinary([UInt8](repeating: 0x20, count: 1 << 20))
        let size = bomb.count + 8
        let lying =
            [0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 0xFF, 6, 0, 0x42, 0x43, 2, 0, UInt8(truncatingIfNeeded: size - 1), UInt8((size - 1) >> 8)]
            + bomb[10...]
        let read = try ReadLines.of(try folder.write(lying + Gzip.blocked(["{}\n"])))
        #expect(read.lines == ["{}"])
        #expect(read.damage.map(\.kind) == [.member])
    }
}
