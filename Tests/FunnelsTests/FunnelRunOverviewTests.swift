import EventFiles
import Foundation
import Testing

@testable import Funnels

@Suite("Several funnels and the events in one pass")
struct OverviewTests {
    @Test("the overview is what separate passes give", arguments: [1, 2])
    func same(threads: Int) throws {
        let path = NSTemporaryDirectory() + "overview-\(UUID().uuidString).ndjson"
        defer { try? FileManager.default.removeItem(atPath: path) }
        var text = "{broken\n"
        for number in 0..<3000 {
            let name = ["a", "b", "c"][number * 7 % 3]
            text += #"{"t_ms":\#(number * 1000),"name":"\#(name)","user":"u\#(number % 50)","id":"\#(number % 2900)"}"# + "\n"
        }
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let definitions = [
            try FunnelDefinition(steps: FunnelStep.parse("a > b > c")),
            try FunnelDefinition(steps: FunnelStep.parse("c > a"), windowMilliseconds: 9000),
        ]
        let reader = try EventFileReader(paths: [path])
        let run = FunnelRun(definitions)
        let minutes: (Int64) -> Range<Int64> = { $0 - $0 % 60_000..<$0 - $0 % 60_000 + 60_000 }
        let overview = try run.overview(reading: reader, threads: threads, trendStarts: .all, period: minutes)
        #expect(try overview.results == run.results(reading: reader).results)
        #expect(try overview.trends == run.trends(reading: reader, period: minutes).trends)
        #expect(try overview.catalogue == CatalogueRun().answer(reading: reader).answer)
        #expect(overview.catalogue.input.badLines == 1 && overview.catalogue.input.duplicates == 100)
        #expect(try run.overview(reading: reader, threads: threads).trends.isEmpty)
    }
}
