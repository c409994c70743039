import Foundation
import Testing

@testable import EventFiles

@Suite struct InputListingTests {
    private let folder: ReadingFolder
    init() throws { folder = try ReadingFolder() }

    private func names(_ paths: [String]) throws -> [String] {
        try EventFileReader(paths: paths).files.map { $0.path.replacingOccurrences(of: folder.path + "/", with: "") }
    }

    private func error(_ paths: [String]) -> EventFileReadError? {
        do {
            _ = try EventFileReader(paths: paths)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a folder stands for its event files in the order of paths, sub-folders included`() throws {
        for name in [
            "b.ndjson.gz", "a.ndjson.gz.open", "c.ndjson", "d.jsonl", "e.jsonl.gz", "sub/deep/f.ndjson.gz", "sub/a.ndjson", "z.log.gz",
            "x.json",
            ".hidden.ndjson", ".quarantine/g.ndjson.gz", ".b.ndjson.gz.tmp", "h.ndjson.gz.tmp", "ndjson", "i.NDJSON",
        ] {
            try folder.write("", name)
        }
        let expected = ["a.ndjson.gz.open", "b.ndjson.gz", "c.ndjson", "d.jsonl", "e.jsonl.gz", "sub/a.ndjson", "sub/deep/f.ndjson.gz"]
        #expect(try names([folder.path]) == expected)
        #expect(try names([folder.path + "/"]) == expected)
    }

    @Test func `an empty folder is no error`() throws {
        let read = try ReadLines.of(folder.path)
        #expect(read.lines == [] && read.report.files == [])
    }

    @Test func `a file whose name is the pattern itself comes before those that match it`() throws {
        for name in ["[x].ndjson", "x.ndjson"] { try folder.write("", name) }
        #expect(try names([folder.path + "/[x].ndjson"]) == ["[x].ndjson"])
    }

    @Test func `a path that leads nowhere is an error that names it`() {
        let missing = folder.path + "/nowhere"
        #expect(error([missing]) == .noSuchPath(missing))
        #expect(error([missing])?.description.contains(missing) == true)
        #expect(error([missing + "/deeper"]) == .noSuchPath(missing + "/deeper"))
        #expect(error([""]) == .noSuchPath(""))
    }

    @Test func `a folder that cannot be opened is called by its name`() {
        let error = EventFileReadError(FileSystemError(.openFolder, errno: EACCES, path: "events/sub/."))
        #expect(error.description.hasPrefix("events/sub: "))
    }

    #if os(Linux)
    @Test(arguments: [("broken\u{FF}.ndjson", true), ("folder\u{FF}", true), ("photo\u{FF}.jpg", false), (".hid\u{FF}.ndjson", false)])
    func `event files under a name that is not UTF-8 are left out of a folder and reported`(name: String, isTold: Bool) throws {
        try folder.write("{}\n", "a.ndjson")
        let bytes = Array(folder.path.utf8) + [0x2F] + name.unicodeScalars.map { UInt8($0.value) } + [0]
        bytes.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { path in
                if name.hasPrefix("folder") {
                    #expect(mkdir(path.baseAddress!, 0o700) == 0)
                } else {
                    #expect(close(open(path.baseAddress!, O_CREAT | O_WRONLY, 0o600)) == 0)
                }
            }
        }
        let shown = folder.path + "/" + name.replacingOccurrences(of: "\u{FF}", with: "\u{FFFD}")
        let reader = try EventFileReader(paths: [folder.path])
        #expect(reader.files.map(\.path) == [folder.path + "/a.ndjson"] && reader.unnameable == (isTold ? [shown] : []))
        #expect(try reader.forEachLine { _ in }.unnameable == reader.unnameable)
        #expect(error([folder.path + "/*"]) == (name.hasPrefix(".") ? nil : .nameNotUTF8(path: shown)))
        #expect(error([folder.path + "/*"])?.description.contains("rename it") ?? true)
    }
    #endif

    @Test func `a pattern for hidden names does not climb to the folder above`() throws {
        try folder.write("", "sub/.hidden.ndjson")
        try folder.write("", "above.ndjson")
        #expect(try names([folder.path + "/sub/.*"]) == ["sub/.hidden.ndjson"])
    }

    @Test func `links to folders inside a folder are not followed, so that circles end`() throws {
        try folder.write("", "sub/a.ndjson")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/sub/circle", withDestinationPath: folder.path)
        #expect(try names([folder.path]) == ["sub/a.ndjson"])
        #expect(try names([folder.path + "/sub/circle"]) == ["sub/circle/sub/a.ndjson"])
    }

    @Test func `links to folders that no other path leads to are told`() throws {
        try folder.write("", "store/old/a.ndjson")
        try folder.write("", "events/sub/b.ndjson")
        for (link, target) in [("/old", "/store/old"), ("/current", "/events/sub")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/events" + link, withDestinationPath: folder.path + target)
        }
        let (events, old) = (folder.path + "/events", folder.path + "/events/old")
        #expect(try EventFileReader(paths: [events]).linkedFolders == [old])
        #expect(try EventFileReader(paths: [events, old]).linkedFolders == [])
    }

    @Test func `a segment under both names is read from the sealed file if that is whole`() throws {
        let lines = "{\"a\":1}\n"
        try folder.write(Gzip.blocked([lines, lines]), "s-1.ndjson.gz")
        try folder.write(Gzip.blocked([lines, lines], end: false), "s-1.ndjson.gz.open")
        try folder.write(Gzip.blocked([lines], end: false), "s-2.ndjson.gz")
        try folder.write(Gzip.blocked([lines, lines, lines], end: false), "s-2.ndjson.gz.open")
        try folder.write(Gzip.blocked([lines], end: false), "s-3.ndjson.gz.open")
        let read = try ReadLines.of(folder.path)
        #expect(
            read.report.files.map { ($0.path as NSString).lastPathComponent } == [
                "s-1.ndjson.gz", "s-2.ndjson.gz.open", "s-3.ndjson.gz.open",
            ])
        #expect(read.report.leftOut.map { ($0 as NSString).lastPathComponent } == ["s-1.ndjson.gz.open", "s-2.ndjson.gz"])
        #expect(read.lines.count == 6)
        #expect(read.damage == [])
    }

    @Test func `a segment that is sealed after it was listed is read under its new name`() throws {
        let lines = "{\"a\":1}\n"
        try folder.write(Gzip.blocked([lines]), "s-1.ndjson.gz.open")
        let reader = try EventFileReader(paths: [folder.path])
        try FileManager.default.moveItem(atPath: folder.path + "/s-1.ndjson.gz.open", toPath: folder.path + "/s-1.ndjson.gz")
        var count = 0
        let report = try reader.read(map: { $0.lineCount }, consume: { count += $0 })
        #expect(count == 1)
        #expect(report.leftOut == [])
        #expect(try names([folder.path + "/s-1.ndjson.gz.open"]) == ["s-1.ndjson.gz"])
    }

    @Test func `a file that a forgetting has emptied since it was listed counts as gone`() throws {
        let path = try folder.write(Gzip.blocked(["{}\n"]), "s-1.ndjson.gz")
        let listed = try EventFileReader(paths: [folder.path])
        try folder.write(BGZF.endMember, "new")
        #expect(rename(folder.path + "/new", path) == 0)
        #expect(try listed.forEachLine { _ in }.gone == [path])
        let again = try EventFileReader(paths: [folder.path]).forEachLine { _ in }
        #expect(again.gone == [] && again.lines == 0)
    }

    @Test func `a folder's file that is gone when its turn comes is reported, and one that was named is an error`() throws {
        let path = try folder.write("{}\n", "a.ndjson")
        try folder.write("{}\n", "b.ndjson")
        let listed = try EventFileReader(paths: [folder.path])
        let named = try EventFileReader(paths: [path])
        let matched = try EventFileReader(paths: [folder.path + "/*.ndjson"]).withHiddenFolders()
        try FileManager.default.removeItem(atPath: path)
        let report = try listed.forEachLine { _ in }
        #expect(report.leftOut == [])
        #expect(report.gone == [path])
        #expect(report.lines == 1)
        #expect(throws: EventFileReadError.noSuchPath(path)) { try named.forEachLine { _ in } }
        #expect(try matched.forEachLine { _ in }.gone == [path])
        let check = try EventFileCheck(listed).run()
        #expect(check.files.count == 1)
        #expect(check.gone == [path])
    }
}
