import Basics
import Foundation
import ParquetFiles
import Testing
import TrackingEvents

@testable import EventFiles

@Suite struct EventFileIndexerTests {
    private static func line(_ number: Int, props: String = #"{"p":1}"#) -> String {
        #"{"v":1,"t_ms":\#(number),"name":"n\#(number % 3)","user":"u","session":"s","seq":\#(number + 1),"id":"\#(number)","props":\#(props)}"#
            + "\n"
    }

    private static let sound = Gzip.blocked([(0..<20).map { line($0) }.joined(), (20..<30).map { line($0) }.joined()])

    private func index(_ path: String) throws -> IndexResult { EventFileIndexer(try EventFileReader(paths: [path])).run(threads: 2) }

    private func names(in folder: ReadingFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func `a summary is made beside its file, and kept by the next run`() throws {
        let folder = try ReadingFolder()
        let path = try folder.write(Self.sound)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let made = try index(folder.path)
        #expect(made.files.map(\.outcome) == [.made] && made.files[0].rows == 30 && made.files[0].bytes == Int64(Self.sound.count))
        #expect(try names(in: folder) == ["events.ndjson.gz", "events.ndjson.gz.parquet"])
        #expect(try FileManager.default.attributesOfItem(atPath: path + ".parquet")[.posixPermissions] as? Int == 0o640)
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path))) == Self.sound)
        let kept = try index(folder.path)
        #expect(kept.files.map(\.outcome) == [.kept] && kept.files[0].summaryBytes == made.files[0].summaryBytes)
        let summary = try #require(try SegmentSummary.open(forSegmentAt: path, on: PosixFileSystem()))
        let read = try EventFileReader(paths: [path]).forEachLine { _ in }
        #expect(summary.report == read.files[0])
    }

    @Test func `the progress counts the bytes and lines of the files that are done`() throws {
        let folder = try ReadingFolder()
        for name in ["a.ndjson.gz", "b.ndjson.gz"] { try folder.write(Self.sound, name) }
        let bytes = Int64(Self.sound.count)
        for _ in ["made", "kept"] {
            var shown: [ReadProgress] = []
            _ = EventFileIndexer(try EventFileReader(paths: [folder.path])).run(threads: 2) { shown.append($0) }
            #expect(shown == [ReadProgress(bytes: bytes, lines: 30), ReadProgress(bytes: 2 * bytes, lines: 60)])
        }
    }

    @Test(arguments: [
        ("plain.ndjson", Array(line(1).utf8), IndexResult.Refusal.notSealed),
        ("events.ndjson.gz.open", sound, .notSealed),
        ("ordinary.ndjson.gz", Gzip.ordinary(Array(line(1).utf8)), .notSealed),
        ("unsealed.ndjson.gz", Gzip.blocked([line(1)], end: false), .notSealed),
        ("cut.ndjson.gz", Array(sound.dropLast(50)), .notSealed),
        ("empty.ndjson.gz", [], .notSealed),
        ("flipped.ndjson.gz", sound.enumerated().map { $0.offset == 60 ? $0.element ^ 8 : $0.element }, .damaged),
        (
            "long.ndjson.gz", Gzip.bgzip(line(1) + #"{"t_ms":1,"name":"\#(String(repeating: "x", count: 1 << 20))"}"# + "\n", size: 60_000),
            .damaged
        ),
    ]) func `a file that is not sound gets no summary`(name: String, bytes: [UInt8], refusal: IndexResult.Refusal) throws {
        let folder = try ReadingFolder()
        try folder.write(bytes, name)
        #expect(try index(folder.path).files.map(\.outcome) == [.refused(refusal)])
        #expect(try names(in: folder) == [name])
    }

    @Test func `a line that is not UTF-8 is named`() throws {
        let folder = try ReadingFolder()
        var text = Array((Self.line(0) + Self.line(1)).utf8)
        // Inside a value of the second line.
        text[text.count - 4] = 0xFF
        try folder.write(Gzip.blocked([String(decoding: text, as: UTF8.self)]), "fine.ndjson.gz")
        try folder.write(BGZFBytes.member(text) + BGZF.endMember, "broken.ndjson.gz")
        #expect(try index(folder.path + "/broken.ndjson.gz").files.map(\.outcome) == [.refused(.notUTF8(line: 2))])
        #expect(try names(in: folder) == ["broken.ndjson.gz", "fine.ndjson.gz"])
    }

    @Test func `a folder is indexed through a link, and a file that is a link is refused before it is read`() throws {
        let (folder, links) = (try ReadingFolder(), try ReadingFolder())
        let path = try folder.write(Self.sound)
        try FileManager.default.createSymbolicLink(atPath: links.path + "/folder", withDestinationPath: folder.path)
        try FileManager.default.createSymbolicLink(atPath: links.path + "/link.ndjson.gz", withDestinationPath: path)
        #expect(try index(links.path + "/link.ndjson.gz").files.map(\.outcome) == [.refused(.link)])
        #expect(try index(links.path + "/folder").files.map(\.outcome) == [.made])
        #expect(try names(in: folder) == ["events.ndjson.gz", "events.ndjson.gz.parquet"])
        #expect(try names(in: links) == ["folder", "link.ndjson.gz"])
    }

    @Test func `a temporary file that a killed process left is taken over`() throws {
        let folder = try ReadingFolder()
        try folder.write(Self.sound)
        try folder.write("left by a process that was killed, and longer than any footer", ".events.ndjson.gz.parquet.tmp")
        #expect(try index(folder.path).made == 1)
        #expect(try names(in: folder) == ["events.ndjson.gz", "events.ndjson.gz.parquet"])
        #expect(try index(folder.path).kept == 1)
    }

    @Test func `a file that another process is indexing is left alone`() throws {
        let folder = try ReadingFolder()
        try folder.write(Self.sound)
        let temporary = try folder.write("", ".events.ndjson.gz.parquet.tmp")
        let held = open(temporary, O_RDWR)
        defer { close(held) }
        #expect(flock(held, LOCK_EX | LOCK_NB) == 0)
        #expect(try index(folder.path).files.map(\.outcome) == [.refused(.busy)])
    }

    @Test func `a summary that cannot be written is a failure with its reason`() throws {
        let folder = try ReadingFolder()
        try folder.write(Self.sound)
        // A folder in the place of the summary.
        try FileManager.default.createDirectory(atPath: folder.path + "/events.ndjson.gz.parquet", withIntermediateDirectories: true)
        guard case .refused(.failed(let reason)) = try index(folder.path).files[0].outcome else { return #expect(Bool(false)) }
        #expect(reason.contains("rename"))
        #expect(try names(in: folder) == ["events.ndjson.gz", "events.ndjson.gz.parquet"])
    }

    @Test func `a cut summary is never used`() throws {
        let folder = try ReadingFolder()
        let path = try folder.write(Self.sound)
        _ = try index(path)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path + ".parquet"))
        for count in stride(from: 0, to: whole.count, by: 7) {
            try whole.prefix(count).write(to: URL(fileURLWithPath: path + ".parquet"))
            #expect(throws: SegmentSummary.Fault.self, "cut to \(count)") {
                try SegmentSummary.open(forSegmentAt: path, on: PosixFileSystem())
            }
        }
    }

    @Test func `a summary is kept if its footer is right, whatever its columns hold`() throws {
        let folder = try ReadingFolder()
        let path = try folder.write(Self.sound)
        #expect(try index(path).made == 1)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path + ".parquet"))
        // Inside the first column.
        bytes[20] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path + ".parquet"))
        #expect(try index(path).kept == 1)
        let check = try EventFileCheck(EventFileReader(paths: [path])).run()
        #expect(check.summaries == 0 && check.uselessSummaries.count == 1, "a check proves the columns, too")
    }

    @Test func `a summary without the column that is asked for is made again`() throws {
        let folder = try ReadingFolder()
        let path = try folder.write(Self.sound)
        func asked() throws -> IndexResult { EventFileIndexer(try EventFileReader(paths: [path]), keepsProperties: true).run(threads: 1) }
        #expect(try index(path).made == 1)
        #expect(try asked().made == 1)
        let summary = try #require(try SegmentSummary.open(forSegmentAt: path, on: PosixFileSystem()))
        #expect(summary.file.column(named: "props") != nil)
        #expect(try asked().kept == 1)
        #expect(try index(path).kept == 1, "a run that does not ask for the column keeps it, too")
    }

    @Test func `a summary of another file is stale`() throws {
        let folder = try ReadingFolder()
        let path = try folder.write(Self.sound)
        _ = try index(path)
        func fault() -> SegmentSummary.Fault? {
            #expect(throws: SegmentSummary.Fault.self) { try SegmentSummary.open(forSegmentAt: path, on: PosixFileSystem()) }
        }
        // The same size, with another CRC at the end of a member.
        var changed = Self.sound
        changed[changed.count - BGZF.endMember.count - 6] ^= 1
        try folder.write(changed)
        #expect(fault() == .stale)
        try folder.write(Gzip.blocked([Self.line(1)]))
        #expect(fault() == .stale)
        try folder.write(Self.sound)
        #expect(try SegmentSummary.open(forSegmentAt: path, on: PosixFileSystem()) != nil)
        try FileManager.default.moveItem(atPath: path + ".parquet", toPath: folder.path + "/other.ndjson.gz.parquet")
        let other = try folder.write(Self.sound, "other.ndjson.gz")
        #expect(throws: SegmentSummary.Fault.stale) { try SegmentSummary.open(forSegmentAt: other, on: PosixFileSystem()) }
    }

    @Test func `a file of another program is foreign`() throws {
        let folder = try ReadingFolder()
        let path = try folder.write(Self.sound)
        var bytes: [UInt8] = []
        let writer = ParquetFileWriter<Never>(columns: [ParquetColumn("a", .text)]) { bytes += $0 }
        writer.finish(metadata: [("looptrail.summary", #"{"version":1}"#)])
        try folder.write(bytes, "events.ndjson.gz.parquet")
        #expect(throws: SegmentSummary.Fault.foreign) { try SegmentSummary.open(forSegmentAt: path, on: PosixFileSystem()) }
        #expect(try index(path).made == 1, "the index replaces it")
    }
}

/// A blocked member of bytes that need not be text.
private enum BGZFBytes {
    static func member(_ bytes: [UInt8]) -> [UInt8] {
        let output = ByteBuffer(capacity: 1024)
        bytes.withUnsafeBufferPointer { BGZFDeflater(level: 6).appendMember(of: $0, to: output) }
        return Array(output.bytes)
    }
}
