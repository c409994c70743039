import Foundation
import Testing
import TrackingEvents

@testable import EventFiles

@Suite struct EventFileReaderTests {
    private let folder: ReadingFolder
    init() throws { folder = try ReadingFolder() }

    /// Texts of a few lines, one for each member.
    private static let texts = ["{\"a\":1}\n{\"a\":2}\n", "{\"b\":1}\n", "{\"c\":1}\n{\"c\":2}\n{\"c\":3}\n"]
    private static let lines = ["{\"a\":1}", "{\"a\":2}", "{\"b\":1}", "{\"c\":1}", "{\"c\":2}", "{\"c\":3}"]
    private static let text = texts.joined()

    @Test(
        arguments: [
            ("blocked", Gzip.blocked(texts), FileFraming.blocked, 3), ("gzip", Gzip.ordinary(text), .gzip, 1),
            ("many members", texts.flatMap { Gzip.ordinary($0) }, .gzip, 3), ("plain", Array(text.utf8), .plain, 0),
            ("with a name", Gzip.ordinary(Array(text.utf8), name: "events.ndjson"), .gzip, 1),
            ("with a header CRC", Gzip.ordinary(Array(text.utf8), headerCRC: true), .gzip, 1),
            ("with everything", Gzip.ordinary(Array(text.utf8), name: "n", comment: "c", extra: [1, 2, 3], headerCRC: true), .gzip, 1),
            ("with other extra fields", Gzip.ordinary(Array(text.utf8), extra: [0x41, 0x42, 2, 0, 9, 9]), .gzip, 1),
            ("with a BOM", [0xEF, 0xBB, 0xBF] + Array(text.utf8), .plain, 0),
            ("with a BOM inside gzip", Gzip.ordinary([0xEF, 0xBB, 0xBF] + Array(text.utf8)), .gzip, 1),
            ("without a last line feed", Array(text.utf8.dropLast()), .plain, 0),
            ("as bgzip cuts it", Gzip.bgzip(text, size: 5), .blocked, 10),
            ("in members of one byte", Gzip.bgzip(text, size: 1), .blocked, 48),
            (
                "blocked, then ordinary, then blocked", Gzip.blocked([texts[0]]) + Gzip.ordinary(texts[1]) + Gzip.blocked([texts[2]]),
                .blocked, 3
            ),
            ("two sealed files joined", Gzip.blocked([texts[0], texts[1]]) + Gzip.blocked([texts[2]]), .blocked, 3),
            ("empty members in between", Gzip.ordinary(texts[0]) + Gzip.ordinary("") + Gzip.ordinary(texts[1] + texts[2]), .gzip, 2),
        ] as [(String, [UInt8], FileFraming, Int)])
    func `every framing gives the same lines`(what: String, bytes: [UInt8], framing: FileFraming, members: Int) throws {
        let path = try folder.write(bytes)
        for threads in [1, 2, 5] {
            let read = try ReadLines.of(path, threads: threads)
            #expect(read.lines == Self.lines)
            let file = try #require(read.report.files.first)
            #expect(file.framing == framing)
            #expect(file.bytes == Int64(bytes.count))
            #expect(file.damage == [])
            #expect(file.members == members)
        }
    }

    @Test func `forEachLine gives the same lines`() throws {
        let path = try folder.write(Gzip.bgzip(Self.text, size: 7))
        var lines: [String] = []
        let report = try EventFileReader(paths: [path]).forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
        #expect(lines == Self.lines)
        #expect(report.lines == 6)
    }
}
