import Basics
import Foundation
import Testing

/// `looptrail report --watch` as a process of its own, and what else a report can hold.
@Suite struct WatchCallTests {
    @Test func `a page is written again when something is new, with what is new`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        // A pipe instead of a file: to read it is to wait for the next page.
        let pipe = folder.path("page.json")
        #expect(mkfifo(pipe, 0o600) == 0)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try Child.commandPath.get())
        process.arguments = [
            "report", path, "--steps", "viewed > paid", "--every", "day", "--since", "2026-01-01", "--watch", "100ms", "--format", "json",
            "-o", pipe, "--quiet",
        ]
        process.environment = Child.usualEnvironment
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        // Reads without blocking, and for a minute at most: a command that has died must not hang the test.
        func page() -> String {
            let descriptor = open(pipe, O_RDONLY | O_NONBLOCK)
            defer { close(descriptor) }
            var (text, bytes) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            while poll(&waiting, 1, 60_000) == 1 {
                let count = read(descriptor, &bytes, bytes.count)
                guard count > 0 else { break }
                text += bytes[..<count]
            }
            return String(decoding: text, as: UTF8.self)
        }
        let first = page()
        #expect(first.contains(#""entered":4,"converted":1"#) && first.contains(#""kind":"trend""#))
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(Events.text([Events.line("paid", 90, user: "u2", id: "p2")]).utf8))
        try handle.close()
        let second = page()
        #expect(second.contains(#""entered":4,"converted":2"#))
        // The same as of all files read at once.
        let whole = try Child.looptrail([
            "report", path, "--steps", "viewed > paid", "--every", "day", "--since", "2026-01-01", "--format", "json", "--no-why",
        ])
        #expect(whole.output == second)
    }

    @Test func `a report can hold a comparison, the question why, and who comes back`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let result = try Child.looptrail([
            "report", path, "--steps", "viewed > added", "--since", "2026-01-01T12:00:02", "--compare", "2026-01-01..2026-01-01T12:00:02",
            "--why", "--start", "viewed", "--return", "added", "--periods", "2", "--format", "json",
        ])
        #expect(result.status == 0)
        #expect(result.output.contains(#""compare":{"#))
        for kind in ["funnel", "why", "retention", "events"] { #expect(result.output.contains("\"kind\":\"\(kind)\"")) }
    }

    @Test func `a saved funnel of the last days is not watched`() throws {
        let folder = try TemporaryFolder()
        let funnels = try folder.file("f.json", #"[{"steps":"viewed > paid","since":"now-7d"}]"#)
        let words = ["report", "nowhere", "--funnels", funnels, "--watch", "5s", "-o", folder.path("x.html")]
        let result = try Child.looptrail(words)
        #expect(result.status == 2 && result.errors.contains("`now` would stay the time of the call"), "\(result.errors)")
    }

    @Test(arguments: [
        (["--watch", "5s"], "--watch replaces a file again and again: give it with -o FILE"),
        (["--watch", "1ms", "-o", "x.html"], "--watch: give 100ms or more"),
        (["--watch", "5s", "-o", "x.html", "--why"], "--watch reads only what is new: leave out --why, which reads everything"),
        (["--watch", "5s", "-o", "x.html", "--start", "a", "--return", "b"], "--watch reads only what is new: leave out --start, which"),
        (["--watch", "5s", "-o", "x.html", "--since", "now-7d"], "--watch: `now` would stay the time of the call"),
        (["--watch", "5s", "-o", "x.html", "--compare", "now-14d..now-7d"], "--watch: `now` would stay the time of the call"),
        (["--start", "a"], "--start and --return ask who comes back: give both of them"), (["--periods", "3"], "--periods needs --start"),
    ])
    func `what makes no sense is a usage error`(words: [String], message: String) throws {
        let result = try Child.looptrail(["report", "nowhere", "--steps", "a > b"] + words)
        #expect(result.status == 2 && result.output == "")
        #expect(result.errors.contains(message), "\(result.errors)")
        if words.contains("--why") { return }
        let piped = try Child.looptrail(["report", "--steps", "a > b", "--why"], input: .pipe([]))
        #expect(piped.status == 2 && piped.errors.contains("standard input and pipes can be read once"))
    }
}
