import EventFiles
import Foundation
import Funnels
import Testing

/// The code of the module's page.
@Suite struct FunnelsPageTests {
    @Test func `a funnel over a folder has its counts`() throws {
        let folder = NSTemporaryDirectory() + "funnels-page-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let names = ["cart_added", "checkout_started", "paid"]
        let lines = names.enumerated().map { "{\"t_ms\":\($0.offset),\"name\":\"\($0.element)\",\"user\":\"u\"}" }
        try lines.joined(separator: "\n").write(toFile: folder + "/1.ndjson", atomically: false, encoding: .utf8)

        let definition = try FunnelDefinition(steps: FunnelStep.parse("cart_added > checkout_started > paid"))
        let outcome = try FunnelRun([definition]).results(reading: EventFileReader(paths: [folder]))
        print(outcome.results[0].converted)

        #expect(outcome.results[0].converted == 1)
    }
}
