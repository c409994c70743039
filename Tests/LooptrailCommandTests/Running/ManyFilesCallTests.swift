import Basics
import Foundation
import TestSupport
import Testing

@testable import EventFiles

/// Commands over more files than they may have open.
@Suite struct ManyFilesCallTests {
    @Test func `commands over more indexed files than 64 descriptors need no more descriptors`() throws {
        let files = isNight ? 200 : 80
        let folder = try TemporaryFolder()
        let path = folder.path("events")
        for number in 1...files { try Self.writeSegment(number, in: path) }
        let context = folder.path("c")
        for words in [
            ["cluster", "prepare", path, "--steps", "paid > paid", "-o", context],
            ["cluster", "split", path, "--parts", "\(files)", "--context", context, "-o", folder.path("parts")],
            ["index", path], ["index", path], ["funnel", path, "--steps", "paid > paid", "--format", "json"], ["events", path],
            ["check", path], ["users", path, "--steps", "paid > paid", "--step", "1"], ["tail", path, "--no-follow"],
            ["retention", path, "--start", "paid", "--return", "paid"],
        ] {
            let result = try Child.looptrail(words, descriptors: 64)
            #expect(result.status == 0, "\(words): \(result.errors)")
            #expect(!result.errors.contains("not used"), "\(words): \(result.errors)")
        }
    }

    @Test func `forget works in a tree of more folders than it may have open, if the system allows more`() throws {
        let folder = try TemporaryFolder()
        for number in 1...40 { try Self.writeSegment(number, in: folder.path("events/\(number)")) }
        let words = ["forget", "--user", "u1", folder.path("events"), "--yes"]
        let result = try Child.looptrail(words, descriptors: 64, mayTakeMore: true)
        #expect(result.status == 0, "\(result.errors)")
    }

    /// Writes a sealed segment with one event of a user of its own.
    private static func writeSegment(_ number: Int, in path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let line = Events.line("paid", Int64(number), user: "u\(number)", id: "e\(number)")
        let bytes = ByteBuffer(capacity: 512)
        Array((line + "\n").utf8).withUnsafeBufferPointer { BGZFDeflater(level: 1).appendMember(of: $0, to: bytes) }
        bytes.append(BGZF.endMember)
        let name = SegmentName(stem: "events", writer: 7, number: Int64(number)).sealed
        try Data(bytes.bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    }
}
