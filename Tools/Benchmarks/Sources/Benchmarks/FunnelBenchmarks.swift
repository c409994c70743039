import DeflateReference
import EventFiles
import Foundation
import Funnels
import TrackingEvents

/// A five-step funnel over generated events, beside inflating their files and counting lines in C.
struct FunnelBenchmarks {
    let events: Int
    let runs: Int

    func run() throws {
        let folder = try SampleFolder(events: events)

        let definition = try FunnelDefinition(
            steps: FunnelStep.parse("event_1 > event_2 > event_3 > event_4 > event_5"), windowMilliseconds: 3_600_000)
        let clock = ContinuousClock()
        func measure(_ name: String, _ work: () throws -> Void) rethrows -> Measurement {
            var seconds: [Double] = []
            for run in 0...runs {
                let start = clock.now
                try work()
                if run > 0 { seconds.append((clock.now - start) / .seconds(1)) }
            }
            return Measurement(name: name, events: events, seconds: seconds)
        }
        var table = Table("**A funnel of five steps**, \(thousands(Double(events))) events, wall time", comparedWith: "inflating alone")
        table.add(
            measure("inflate and count lines in C, one thread") {
                let lines = folder.files.reduce(0) { $0 + inflate_and_count_lines($1) }
                precondition(lines == events)
            })
        for threads in [1, 2] {
            try table.add(
                measure("`FunnelRun`, \(threads) thread\(threads == 1 ? "" : "s")") {
                    let outcome = try FunnelRun([definition]).results(reading: EventFileReader(paths: [folder.path]), threads: threads)
                    precondition(outcome.results[0].input.events == events && outcome.results[0].entered > 0)
                })
        }
        table.show()
    }
}
