import Basics
import Foundation
import Testing

/// `looptrail tail` as a process of its own.
@Suite struct TailCallTests {
    @Test func `the latest events are shown, the latest last, in a compact form or as their lines`() throws {
        let folder = try TemporaryFolder()
        try folder.file("e.ndjson", Events.shop)
        let compact = try Child.looptrail(["tail", folder.path, "--no-follow", "--last", "2"])
        #expect(compact.status == 0 && compact.errors == "")
        let lines = compact.output.split(separator: "\n")
        #expect(lines.count == 2 && lines[1] == "2026-01-01 12:01:11  u1  paid  total=9.5")
        let raw = try Child.looptrail(["tail", folder.path, "--no-follow", "--format", "ndjson", "--where", "added[price>10]"])
        #expect(raw.output == Events.line("added", 12, user: "u2", id: "a2", props: #"{"price":20}"#) + "\n")
        #expect(try Child.looptrail(["tail", folder.path, "--no-follow", "--last", "0"]).output == "")
    }

    @Test func `a text that is cut has ASCII alone where the locale is not UTF-8`() throws {
        let line = Events.line(String(repeating: "n", count: 100), user: String(repeating: "u", count: 100))
        for (locale, ellipsis) in [("C", "..."), ("C.UTF-8", "…")] {
            let result = try Child.looptrail(["tail"], input: .pipe(Array("\(line)\n".utf8)), environment: ["LANG": locale])
            #expect(result.output.contains("uuu\(ellipsis)  nnn") && result.output.contains("nnn\(ellipsis)\n"), "\(result.output)")
        }
    }

    @Test func `standard input is read to its end, and hostile names act on nothing`() throws {
        let text = Events.text([Events.line(#"a\u001b[2J"#, user: #"\u202eu"#, props: #"{"k\u0007":"v\nw"}"#), "not a line"])
        let result = try Child.looptrail(["tail"], input: .pipe(Array(text.utf8)))
        #expect(result.status == 0)
        #expect(!result.output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" })
        #expect(result.output.count { $0 == "\n" } == 1)
        #expect(result.errors.contains("1 line cannot be read"))
    }

    @Test func `tail shows an event that is written meanwhile, and ends when nobody reads`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.text([Events.line("first")]))
        let (readEnd, writeEnd) = try Child.makePipe()
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = try? Child.looptrail(["tail", path], output: .descriptor(writeEnd))
            close(writeEnd)
            done.signal()
        }
        var shown = ""
        func wait(for word: String) {
            var bytes = [UInt8](repeating: 0, count: 4096)
            while !shown.contains(word) {
                let count = read(readEnd, &bytes, bytes.count)
                guard count > 0 else { return }
                shown += String(decoding: bytes[..<count], as: UTF8.self)
            }
        }
        func append(_ name: String) throws {
            let handle = try #require(FileHandle(forWritingAtPath: path))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(Events.text([Events.line(name)]).utf8))
            try handle.close()
        }
        wait(for: "first")
        try append("second")
        wait(for: "second")
        #expect(shown.split(separator: "\n").count == 2)
        // No event comes after this.
        close(readEnd)
        #expect(done.wait(timeout: .now() + 60) == .success)
    }

    @Test func `tail does not follow the file that its output goes to`() throws {
        let folder = try TemporaryFolder()
        try folder.file("e.ndjson", Events.shop)
        let printed = try folder.file("printed.ndjson", "")
        let descriptor = open(printed, O_WRONLY | O_APPEND | O_CLOEXEC)
        defer { close(descriptor) }
        let words = ["tail", folder.path, "--format", "ndjson"]
        let result = try Child.looptrail(words, output: .descriptor(descriptor))
        #expect(result.status == 2 && result.errors.contains("standard output is `\(printed)`, which is followed"), "\(result.errors)")
        #expect(folder.text("printed.ndjson") == "")
        #expect(try Child.looptrail(words + ["--no-follow"], output: .descriptor(descriptor)).status == 0)
        #expect(folder.text("printed.ndjson") == Events.shop)
    }

    @Test(arguments: [
        (["x", "-"], "`-` cannot be followed beside other paths"), (["x", "--where", "a > b"], "`a > b` has 2 steps"),
        (["x", "--format", "json"], "`json` is not one of `compact`, `ndjson`"),
    ])
    func `what makes no sense is a usage error`(words: [String], message: String) throws {
        let result = try Child.looptrail(["tail"] + words)
        #expect(result.status == 2 && result.output == "")
        #expect(result.errors.contains(message), "\(result.errors)")
    }
}
