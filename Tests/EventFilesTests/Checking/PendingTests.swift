import Foundation
import Testing

@testable import EventFiles

/// What a check says of the folders where events wait for consent.
@Suite struct PendingTests {
    private let folder: ReadingFolder
    init() throws { folder = try ReadingFolder() }

    private func report(_ paths: String...) throws -> CheckResult { try EventFileCheck(EventFileReader(paths: paths)).run(threads: 2) }

    @Test func `segments in .pending are counted in every listed folder and never read`() throws {
        try folder.write(Gzip.blocked([CheckLine.event("s", 1)]), "events-0000000a-0000000001.ndjson.gz")
        try folder.write(Array("no gzip".utf8), ".pending/events-0000000b-0000000001.ndjson.gz")
        try folder.write(Array("nor this".utf8), ".pending/events-0000000b-0000000002.ndjson.gz.open")
        try folder.write(Array("foreign".utf8), ".pending/notes.txt")
        try folder.write(Array("one".utf8), "phone/.pending/events-0000000c-0000000001.ndjson.gz")
        let report = try report(folder.path + "/")
        #expect(report.isSound && report.events == 1)
        #expect(
            report.pending == [
                .init(path: folder.path + "/.pending", files: 2, bytes: 15),
                .init(path: folder.path + "/phone/.pending", files: 1, bytes: 3),
            ])
    }

    @Test func `a .pending without segments, one that is no folder, and one beside a file that is checked alone are not listed`() throws {
        let file = try folder.write(Gzip.blocked([CheckLine.event("s", 1)]), "events-0000000a-0000000001.ndjson.gz")
        try folder.write(Array("x".utf8), "a/.pending/notes.txt")
        try folder.write(Array("x".utf8), "b/.pending")
        try folder.write(Array("x".utf8), "elsewhere/.hidden/events-0000000c-0000000001.ndjson.gz")
        #expect(symlink(folder.path + "/elsewhere/.hidden", folder.path + "/elsewhere/.pending") == 0)
        #expect(try report(folder.path).pending.isEmpty)
        try folder.write(Array("one".utf8), ".pending/events-0000000c-0000000001.ndjson.gz")
        #expect(try report(file).pending.isEmpty)
    }
}
