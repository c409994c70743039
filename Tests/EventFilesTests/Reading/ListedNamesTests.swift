import Foundation
import Testing

@testable import EventFiles

#if canImport(Glibc)
import Glibc
#endif

/// Which files a folder, a pattern and a list of paths stand for.
@Suite struct ListedNamesTests {
    private let folder: ReadingFolder
    init() throws { folder = try ReadingFolder() }

    private func names(_ paths: [String]) throws -> [String] {
        try EventFileReader(paths: paths.map { $0 == "-" ? $0 : folder.path + "/" + $0 }).files.map {
            $0.isStandardInput ? "-" : String($0.path.dropFirst(folder.path.utf8.count + 1))
        }
    }

    @Test(arguments: [
        ("a.ndjson.gz", true), ("a.ndjson.gz.open", true), ("a.ndjson", true), ("a.jsonl", true), ("a.jsonl.gz", true), ("a.gz", false),
        ("a.log.gz", false), ("a.ndjson.open", false), ("a.ndjson.gz.tmp", false), ("a.ndjson.gz.lidx", false),
        ("a.ndjson.gz.parquet", false), ("a.NDJSON", false),
        (".a.ndjson.gz", false), (".a.ndjson.gz.tmp", false), ("a.json", false), ("ndjson", false), ("ndjson.gz", false),
        ("sub/a.ndjson", true), ("sub/deep/er/a.jsonl", true), (".quarantine/a.ndjson", false), ("sub/.pending/a.ndjson.gz", false),
        ("name with spaces.ndjson", true), ("ü😀.ndjson", true), ("[a]*?.ndjson", true), ("-.ndjson", true), ("a\nb.ndjson", true),
    ])
    func `a folder stands for event files only`(name: String, isListed: Bool) throws {
        try folder.write("{}\n", name)
        #expect(try EventFileReader(paths: [folder.path]).files.map(\.path) == (isListed ? [folder.path + "/" + name] : []))
        // A path to a file reads that file, whatever its name, unless it is a summary.
        #expect(try names([name]) == (name.hasSuffix(".parquet") ? [] : [name]))
    }

    @Test(arguments: [
        ("*.ndjson", ["a1.ndjson", "a2.ndjson", "b1.ndjson"]), ("a?.ndjson", ["a1.ndjson", "a2.ndjson"]),
        ("[ab]1.ndjson", ["a1.ndjson", "b1.ndjson"]), ("[!a]*.ndjson", ["b1.ndjson"]), ("[a-b][2-9].ndjson", ["a2.ndjson"]),
        ("*", ["a1.ndjson", "a2.ndjson", "b1.ndjson", "notes.txt", "sub/c.ndjson"]), ("*/*.ndjson", ["sub/c.ndjson"]),
        ("s*", ["sub/c.ndjson"]), (".*.ndjson", [".hidden.ndjson"]), ("notes.*", ["notes.txt"]),
    ])
    func `a pattern stands for matching files and for matching folders' event files`(pattern: String, expected: [String]) throws {
        for name in [
            "b1.ndjson", "a2.ndjson", "a1.ndjson", ".hidden.ndjson", "notes.txt", "sub/c.ndjson", "sub/notes.txt", "a1.ndjson.parquet",
        ] {
            try folder.write("{}\n", name)
        }
        #expect(try names([pattern]) == expected)
    }

    @Test(arguments: ["*.gz", "x?", "[z]*", "none/*"])
    func `a pattern that matches nothing is an error`(pattern: String) throws {
        try folder.write("{}\n", "a.ndjson")
        #expect(throws: EventFileReadError.noMatch(pattern: folder.path + "/" + pattern)) { try names([pattern]) }
    }

    @Test func `a file that is listed twice, linked or spelled in another way is read once, in its first place`() throws {
        try folder.write("1\n", "a.ndjson")
        try folder.write("2\n", "sub/b.ndjson")
        #expect(link(folder.path + "/a.ndjson", folder.path + "/hard.ndjson") == 0)
        #expect(symlink("a.ndjson", folder.path + "/soft.ndjson") == 0)
        #expect(try names(["a.ndjson", "a.ndjson"]) == ["a.ndjson"])
        #expect(try names(["sub/../a.ndjson", "hard.ndjson", "soft.ndjson", "./a.ndjson", "*.ndjson"]) == ["sub/../a.ndjson"])
        #expect(try names(["sub/b.ndjson", ""]) == ["sub/b.ndjson", "a.ndjson"])
        #expect(try ReadLines.of([folder.path, folder.path + "/", folder.path + "/*"]).lines == ["1", "2"])
        let folders = try EventFileReader(paths: ["//", "/.", "/sub", ""].map { folder.path + $0 }).folders
        #expect(folders == [folder.path, folder.path + "/sub"], "a folder, too")
    }

    @Test func `standard input is read once and keeps its place`() throws {
        try folder.write("1\n", "a.ndjson")
        try folder.write("1\n", "b.ndjson")
        #expect(try names(["b.ndjson", "-", "a.ndjson", "-"]) == ["b.ndjson", "-", "a.ndjson"])
    }

    @Test(arguments: ["\u{600}.ndjson", "\u{301}.jsonl", "a\u{301}.ndjson.gz", "\r.ndjson", "\n.jsonl.gz", "\u{600}.ndjson.gz.open"])
    func `a name is an event file's by its bytes, whatever characters they make together`(name: String) throws {
        let path = try folder.write("{}\n", name)
        #expect(try EventFileReader(paths: [folder.path]).files.map { Array($0.path.utf8) } == [Array(path.utf8)])
    }

    @Test(arguments: [".\u{301}.ndjson", ".\u{200D}x.jsonl"])
    func `a name that begins with a dot is hidden, whatever mark stands on the dot`(name: String) throws {
        try folder.write("{}\n", name)
        #expect(try EventFileReader(paths: [folder.path]).files == [])
    }

    @Test func `two names that look the same but differ in bytes are two files`() throws {
        // The first is one scalar for letter and accent, the second has a scalar for each.
        let (one, other) = ("caf\u{E9}", "cafe\u{301}")
        try folder.write(Gzip.blocked(["1\n"]), one + ".ndjson.gz")
        try folder.write(Gzip.blocked(["2\n"], end: false), other + ".ndjson.gz.open")
        let read = try ReadLines.of(folder.path)
        #expect(Set(read.lines) == ["1", "2"] && read.report.unnameable == [])
        // Only the open file whose own sealed file is there is left out.
        try folder.write(Gzip.blocked(["2\n"]), other + ".ndjson.gz")
        try folder.write(Gzip.blocked(["3\n"], end: false), "\u{301}.ndjson.gz.open")
        let again = try ReadLines.of(folder.path)
        #expect(Set(again.lines) == ["1", "2", "3"] && again.lines.count == 3)
        #expect(again.report.leftOut.map { Array($0.utf8) } == [Array((folder.path + "/" + other + ".ndjson.gz.open").utf8)])
    }

    @Test func `links that lead nowhere are passed over in a folder, and are errors where they are named`() throws {
        try folder.write("1\n", "a.ndjson")
        #expect(symlink("nowhere", folder.path + "/b.ndjson") == 0)
        #expect(symlink("c.ndjson", folder.path + "/c.ndjson") == 0)
        #expect(try names([""]).map { $0.replacingOccurrences(of: "/", with: "") } == ["a.ndjson"])
        #expect(try names(["*.ndjson"]) == ["a.ndjson"])
        #expect(throws: EventFileReadError.noSuchPath(folder.path + "/b.ndjson")) { try names(["b.ndjson"]) }
        #expect(throws: EventFileReadError.system(path: folder.path + "/c.ndjson", call: "stat", errno: ELOOP, offset: 0)) {
            try names(["c.ndjson"])
        }
    }

    @Test func `pipes and folders that are called like event files are no event files of a folder`() throws {
        try folder.write("1\n", "folder.ndjson/inner.ndjson")
        #expect(mkfifo(folder.path + "/pipe.ndjson", 0o600) == 0)
        #expect(try EventFileReader(paths: [folder.path]).files.map(\.path) == [folder.path + "/folder.ndjson/inner.ndjson"])
        // A path to a pipe reads it. A pattern passes over pipes, because one might wait for ever.
        #expect(try names(["pipe.ndjson"]) == ["pipe.ndjson"])
        #expect(try names(["pipe.*"]) == [])
    }

    @Test func `only one file of a segment under both names is read, however the paths are spelled`() throws {
        let (sealed, open) = (Gzip.blocked(["1\n2\n"]), Gzip.blocked(["1\n"], end: false))
        try folder.write(sealed, "s.ndjson.gz")
        try folder.write(open, "s.ndjson.gz.open")
        for paths in [
            ["s.ndjson.gz", "s.ndjson.gz.open"], ["s.ndjson.gz.open", "s.ndjson.gz"], ["./s.ndjson.gz", "s.ndjson.gz.open"],
            ["s.ndjson.gz", ".//s.ndjson.gz.open"], ["*.open", ""],
        ] {
            let read = try ReadLines.of(paths.map { folder.path + "/" + $0 })
            #expect(read.lines == ["1", "2"], "\(paths)")
            #expect(read.report.leftOut.count == 1)
        }
    }
}
