import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// What a result must never be written over.
@Suite struct InputOutputCallTests {
    private let steps = ["--steps", "viewed > added", "--format", "json"]

    @Test func `a result never replaces what it is made of, by no name and no link`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("data", Events.shop)
        let (symbolic, hard) = (folder.path("symbolic.json"), folder.path("hard.json"))
        try FileManager.default.createSymbolicLink(atPath: symbolic, withDestinationPath: path)
        try FileManager.default.linkItem(atPath: path, toPath: hard)
        let handle = try #require(FileHandle(forReadingAtPath: path))
        for output in [path, symbolic, hard, folder.path("./data")] {
            let result = try Child.looptrail(["funnel", path, "-o", output] + steps)
            #expect(result.status == 2 && result.errors.contains("is what the result is made of"), "\(result.errors)")
            let piped = try Child.looptrail(
                ["funnel", "-", "-o", output] + steps, input: .descriptor(handle.fileDescriptor))
            #expect(piped.status == 2 && piped.errors.contains("is the standard input"), "\(piped.errors)")
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == Events.shop)
    }

    @Test(
        arguments: [
            ["plan", "swift", "a.json", "-o", "a.json"], ["plan", "docs", "a.json", "-o", "link.json"],
            ["plan", "diff", "a.json", "b.json", "-o", "b.json"],
            ["plan", "diff", "a.json", "b.json", "--funnels", "f.json", "-o", "f.json"],
            ["sql", "--dialect", "duckdb", "--funnels", "f.json", "-o", "f.json"],
        ])
    func `commands that read no events keep what they are made of, too`(_ words: [String]) throws {
        let folder = try TemporaryFolder()
        let plan = #"{"plan":1,"name":"A","events":{"viewed":{"props":{}}}}"#
        let texts = ["a.json": plan, "b.json": plan, "f.json": #"{"steps":"viewed > added"}"#]
        for (name, text) in texts { _ = try folder.file(name, text) }
        try FileManager.default.createSymbolicLink(atPath: folder.path("link.json"), withDestinationPath: folder.path("a.json"))
        let result = try Child.looptrail(words.map { $0.hasSuffix(".json") ? folder.path($0) : $0 })
        #expect(result.status == 2 && result.errors.contains("is what the result is made of"), "\(result.errors)")
        for (name, text) in texts { #expect(try String(contentsOfFile: folder.path(name), encoding: .utf8) == text) }
    }

    @Test func `standard input is refused where it would be read twice, and the default place of a split's quality can be named`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let handle = try #require(FileHandle(forReadingAtPath: path))
        for words in [["funnel", "-", "--steps", "viewed > added", "--why"], ["user", "u1", "-"]] {
            let result = try Child.looptrail(words, input: .descriptor(handle.fileDescriptor))
            #expect(result.status == 2 && result.output == "", "\(result.errors)")
        }
        #expect(try Child.looptrail(["cluster", "prepare", path, "--steps", "viewed > added", "-o", folder.path("c")]).status == 0)
        let split = ["cluster", "split", path, "--parts", "2", "--context", folder.path("c")]
        for (parts, quality) in [("parts", "parts/quality.partial"), ("more/", "more/quality.partial")] {
            #expect(try Child.looptrail(split + ["-o", folder.path(parts), "--quality", folder.path(quality)]).status == 0)
        }
    }

    @Test func `a split's quality file replaces neither an input nor the context, and nothing is made`() throws {
        let folder = try TemporaryFolder()
        let events = try folder.file("e.ndjson", Events.shop)
        let data = try folder.file("data", Events.shop)
        let context = folder.path("c")
        #expect(try Child.looptrail(["cluster", "prepare", events, "--steps", "viewed > added", "-o", context]).status == 0)
        let before = FileManager.default.contents(atPath: context)
        for (input, quality) in [(events, events), (data, data), (events, context)] {
            for output in [folder.path("parts"), "-"] {
                let result = try Child.looptrail(
                    ["split", input, "--parts", "2", "--context", context, "-o", output, "--quality", quality])
                #expect(result.status == 2 && result.output == "" && result.errors.contains("--quality `\(quality)`"), "\(result.errors)")
            }
        }
        #expect(folder.names == ["c", "data", "e.ndjson"] && folder.text("data") == Events.shop && folder.text("e.ndjson") == Events.shop)
        #expect(FileManager.default.contents(atPath: context) == before)
    }

    @Test func `each -o writes its own file in the format of its ending`() throws {
        let folder = try TemporaryFolder()
        let events = try folder.file("e.ndjson", Events.shop)
        let (page, json) = (folder.path("a.html"), folder.path("b.json"))
        let words = ["funnel", events, "--steps", "viewed > added"]
        #expect(try Child.looptrail(words + ["-o", page, "-o", json]).status == 0)
        #expect(folder.text("a.html")?.hasPrefix("<!DOCTYPE html>") == true)
        let plain = try Child.looptrail(words + ["--format", "json"])
        #expect(folder.text("b.json") == plain.output)
        try FileManager.default.createSymbolicLink(atPath: folder.path("link.json"), withDestinationPath: page)
        let linked = try Child.looptrail(words + ["-o", page, "-o", folder.path("link.json")])
        #expect(linked.status == 2 && linked.errors.contains("are one file"), "\(linked.errors)")
        let sql = try Child.looptrail(["sql", "--dialect", "duckdb", "--from", events, "--steps", "viewed", "-o", events])
        #expect(sql.status == 2 && folder.text("e.ndjson") == Events.shop)
    }

    @Test func `a result replaces neither the funnels' file nor a list of users`() throws {
        let folder = try TemporaryFolder()
        let events = try folder.file("e.ndjson", Events.shop)
        let funnels = try folder.file("f.json", #"{"steps":"viewed > added"}"#)
        let users = try folder.file("u.csv", "u1\n")
        for words in [["--funnels", funnels, "-o", funnels], ["--steps", "viewed", "--only-users", users, "-o", users]] {
            let result = try Child.looptrail(["funnel", events] + words)
            #expect(result.status == 2 && result.errors.contains("is what the result is made of"), "\(result.errors)")
        }
        #expect(try Child.looptrail(["funnel", events, "-o", folder.path("new.json")] + steps).status == 0)
        #expect(try Child.looptrail(["funnel", events, "-o", folder.path("new.json")] + steps).status == 0)
    }

    @Test func `a strict count and a check have one verdict on a line`() throws {
        let folder = try TemporaryFolder()
        let head = #"{"v":1,"id":"x1","seq":1,"t_ms":1767268800000,"name":"viewed","user":"u1","session":"s","props":"#
        let deep = String(repeating: #"{"a":"#, count: 200) + "1" + String(repeating: "}", count: 200)
        let bad: [[UInt8]] = [
            Array((head + #"{"a":1,}}"#).utf8), Array((head + #"{"a":"#).utf8) + [0x22, 0xFF, 0x22] + Array("}}".utf8),
            Array((head + deep + "}").utf8), Array((head + #"{"a":01}}"#).utf8),
        ]
        for (number, line) in bad.enumerated() {
            let path = folder.path("bad\(number).ndjson")
            try Data(line + [0x0A]).write(to: URL(fileURLWithPath: path))
            let check = try Child.looptrail(["check", path, "--format", "json"])
            let strict = try Child.looptrail(["funnel", path, "--strict"] + steps)
            #expect(check.status == 3 && strict.status == 3, "\(number): \(check.status) \(strict.status)")
        }
        let good = folder.path("good.ndjson")
        try Data((head + #"{"a":{"b":[1,"ü"]}}}"# + "\n").utf8).write(to: URL(fileURLWithPath: good))
        #expect(try Child.looptrail(["funnel", good, "--strict"] + steps).status == 0)
    }

    #if os(Linux)
    @Test func `one name that is not UTF-8 does not keep the others from being read, and is told`() throws {
        let folder = try TemporaryFolder()
        let events = try folder.file("e.ndjson", Events.shop)
        let name = Array((events as NSString).deletingLastPathComponent.utf8) + [0x2F, 0xFF] + Array(".ndjson".utf8) + [0]
        name.withUnsafeBytes { bytes in
            let descriptor = open(bytes.assumingMemoryBound(to: CChar.self).baseAddress!, O_CREAT | O_WRONLY, 0o600)
            #expect(descriptor >= 0 && close(descriptor) == 0)
        }
        let input = (events as NSString).deletingLastPathComponent
        let result = try Child.looptrail(["funnel", input] + steps)
        #expect(result.status == 0 && result.errors.contains("1 name that is not UTF-8"), "\(result.errors)")
        #expect(try FunnelJSON(result.output).steps.map(\.count) == [4, 2])
        #expect(try Child.looptrail(["funnel", input, "--strict"] + steps).status == 3)
        #expect(try Child.looptrail(["check", input]).status == 3)
    }
    #endif
}
