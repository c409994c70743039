import Foundation
import Testing
import TrackingEvents

@testable import EventFiles

@Suite struct CheckedSummaryTests {
    private static func line(_ number: Int, session: String = "s") -> String {
        #"{"v":1,"t_ms":\#(number),"name":"n","session":"\#(session)","seq":\#(number + 1),"id":"\#(number)","props":{"p":1.5}}"# + "\n"
    }

    @Test func `a check counts summaries, and lists useless ones with the reason`() throws {
        let folder = try ReadingFolder()
        let paths = try (0..<4).map { number in
            try folder.write(
                Gzip.blocked([Self.line(0, session: "s\(number)").replacing(#""id":"0""#, with: #""id":"\#(number)""#)]),
                "\(number).ndjson.gz")
        }
        let reader = try EventFileReader(paths: [folder.path])
        #expect(EventFileIndexer(reader).run().made == 4)
        // Summary 1 is stale, 2 is damaged in a column that opening it does not read, and 3 is another program's.
        try FileManager.default.removeItem(atPath: paths[1] + ".parquet")
        try FileManager.default.copyItem(atPath: paths[0] + ".parquet", toPath: paths[1] + ".parquet")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: paths[2] + ".parquet"))
        bytes[8] ^= 1
        try bytes.write(to: URL(fileURLWithPath: paths[2] + ".parquet"))
        try Data("hello".utf8).write(to: URL(fileURLWithPath: paths[3] + ".parquet"))
        // The segment of another one is gone.
        try FileManager.default.copyItem(atPath: paths[0] + ".parquet", toPath: folder.path + "/4.ndjson.gz.parquet")
        let report = try EventFileCheck(reader).run()
        #expect(report.summaries == 1)
        #expect(report.uselessSummaries.map(\.path) == paths[1...].map { $0 + ".parquet" } + [folder.path + "/4.ndjson.gz.parquet"])
        #expect(report.uselessSummaries[3].reason == "its segment is gone; move it away")
        #expect(report.uselessSummaries[0].reason == "the segment is not the one that it was made of")
        #expect(report.uselessSummaries[1].reason.hasPrefix("it is damaged: byte 4: the checksum of column v is wrong"))
        #expect(report.uselessSummaries[1].reason.hasSuffix("; move it away, then index"), "index keeps it, as its footer is sound")
        #expect(!report.uselessSummaries[2].reason.contains("move it"), "index replaces it")
        #expect(report.isSound, "the lines are what counts")
    }

    /// This rule lets a reader leave the ids of two files uncompared.
    @Test func `a check fails if lines share an id but not session and number`() throws {
        let folder = try ReadingFolder()
        try folder.write(Gzip.blocked([Self.line(0)]), "1.ndjson.gz")
        try folder.write(Gzip.blocked([Self.line(0, session: "other")]), "2.ndjson.gz")
        #expect(try !EventFileCheck(EventFileReader(paths: [folder.path])).run().isSound)
    }
}
