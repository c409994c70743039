import Basics
import EventFiles
import Foundation
import Testing

@testable import looptrail

@Suite struct PassingTroubleTests {
    private static let unreadable = EventFileReadError.system(path: "events/a.ndjson", call: "open", errno: EACCES, offset: 0)
    private static let unwritable = OutputError.file(path: "out/r.html", doing: "make a file beside", SystemError(number: ENOENT))

    @Test func `a trouble that may pass is told once, and again after a look that went well`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("errors", "")
        let descriptor = open(path, O_WRONLY | O_APPEND)
        defer { close(descriptor) }
        var trouble = PassingTrouble(Console(speaker: "looptrail tail", descriptor: descriptor))
        for error in [Self.unreadable, Self.unreadable, Self.unwritable, nil, Self.unreadable] as [(any Error)?] {
            try trouble.look { if let error { throw error } }
        }
        let lines = try #require(folder.text("errors")).split(separator: "\n")
        #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("looptrail tail: warning: ") && $0.hasSuffix("; trying again") })
        #expect(lines[0].contains("events/a.ndjson") && lines[1].contains("cannot make a file beside `out/r.html`"))
    }

    @Test func `an output that nobody reads any more is an error and no trouble that may pass`() {
        var trouble = PassingTrouble(Console(speaker: "looptrail tail", descriptor: -1))
        #expect(throws: OutputError.self) { try trouble.look { throw OutputError.readerGone } }
    }
}
