import Foundation
import Testing

/// `looptrail inspect` as a process of its own.
@Suite struct InspectCallTests {
    @Test func `a list of sessions says why states are missing, and that the end of the last event is not known`() throws {
        let folder = try TemporaryFolder()
        let head = #"{"recording":2,"id":"aaaa","system":"shop","t_ms":0,"after":0,"states":"json","events":"json","state":0}"#
        let text = #"{"recording":2,"id":"aaaa","system":"shop","t_ms":0,"after":1,"states":"text","reason":"too\nslow","state":"0"}"#
        let steps = [#"{"n":1,"name":"a","event":1}"#, #"{"of":1,"ns":[1,1,1]}"#, text, #"{"n":2,"name":"b","event":2}"#]
        let path = try folder.file("recording.ndjson", Events.text([head] + steps))
        let listed = try Child.looptrail(["inspect", path, "--list"])
        let end = "did not end by itself, last event taken: 2, whether it ended is not known"
        let line = "aaaa  1970-01-01T00:00:00.000Z  shop  2 steps  \(end)  states are recorded as text after 1: too\\nslow\n"
        #expect(listed.status == 0 && listed.output == line, "\(listed.output)\(listed.errors)")
    }

    @Test func `missing steps end with 3, but not those of a time at which nothing was recorded`() throws {
        let folder = try TemporaryFolder()
        func head(_ after: Int) -> String {
            #"{"recording":2,"id":"aaaa","t_ms":\#(after),"after":\#(after),"states":"json","events":"json","state":0}"#
        }
        func step(_ number: Int) -> [String] { [#"{"n":\#(number),"name":"a","event":1}"#, #"{"of":\#(number),"ns":[1,1,1],"patch":[]}"#] }
        for (lines, status) in [([head(0)] + step(1) + step(4), 3), ([head(0)] + step(1) + [head(3)] + step(4), 0)] {
            let path = try folder.file("recording.ndjson", Events.text(lines))
            let listed = try Child.looptrail(["inspect", path, "--list"])
            #expect(listed.status == Int32(status) && listed.output.contains("2 steps are missing before 4"), "\(listed.output)")
            #expect(try Child.looptrail(["inspect", path, "-o", folder.path("page.html")]).status == Int32(status))
        }
    }

    /// Two sessions of two systems, one step each.
    private static let two = Events.text(
        [("aaaa", "shop"), ("bbbb", "cart")].flatMap { id, system in
            [
                #"{"recording":2,"id":"\#(id)","system":"\#(system)","t_ms":0,"after":0,"states":"json","events":"json","state":0}"#,
                #"{"n":1,"name":"a","event":1}"#, #"{"of":1,"ns":[1,1,1],"patch":[]}"#,
            ]
        })

    @Test(arguments: [(["--session", "bb"], "bbbb"), (["--system", "shop"], "aaaa"), (["--session", "b", "--system", "cart"], "bbbb")])
    func `a list is of the sessions that are asked for`(words: [String], id: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("recording.ndjson", Self.two)
        let all = try Child.looptrail(["inspect", path, "--list"])
        #expect(all.status == 0 && all.output.split(separator: "\n").count == 2, "\(all.output)\(all.errors)")
        let listed = try Child.looptrail(["inspect", path, "--list"] + words)
        #expect(listed.status == 0 && listed.output.hasPrefix("\(id)  "), "\(listed.output)\(listed.errors)")
        #expect(listed.output.split(separator: "\n").count == 1)
        #expect(try Child.looptrail(["inspect", path, "--list", "--session", "zz"]).status == 1)
    }

    @Test func `a page takes the place of no recording`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("recording", Self.two)
        let handle = try #require(FileHandle(forReadingAtPath: path))
        let piped = try Child.looptrail(["inspect", "-", "-o", path], input: .descriptor(handle.fileDescriptor))
        #expect(piped.status == 2 && piped.errors.contains("`\(path)` is the standard input"), "\(piped.errors)")
        for name in ["recording-1a-1.log.gz", "recording-1a-2.log.gz.open"] {
            let result = try Child.looptrail(["inspect", path, "-o", folder.path(name)])
            #expect(result.status == 2 && result.errors.contains("is named like a recording"), "\(result.errors)")
        }
        #expect(folder.names == ["recording"] && folder.text("recording") == Self.two)
    }
}
