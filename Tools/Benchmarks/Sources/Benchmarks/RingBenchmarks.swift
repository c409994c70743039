import Dispatch
import EventFiles
import Foundation
import LoopTesting
import TrackingEvents

/// What it costs `record()` that its lines survive the process: a writer whose ring is a mapped file, beside one whose ring is in memory.
struct RingBenchmarks {
    let rounds: Int
    let runs: Int

    /// Few enough to fit into the ring between two flushes, so that no event is dropped and no call waits.
    private static let eventsPerRound = 4_000

    /// A writer, and the times of the calls to its `record()`.
    private final class Contender {
        let name: String
        let folder: String
        let writer: EventFileWriter
        /// Processor seconds of each run.
        var seconds: [Double] = []
        /// Nanoseconds of single calls.
        var calls: [UInt64] = []

        init(_ name: String, hasRing: Bool) throws {
            self.name = name
            folder = NSTemporaryDirectory() + "looptrail-ring-\(hasRing)-\(ProcessInfo.processInfo.processIdentifier)"
            let files = FaultyFileSystem { call in !hasRing && call.kind == .map ? .fail(EOPNOTSUPP) : nil }
            writer = try EventFileWriter(folder: folder, fileSystem: files.fileSystem)
            // After the first flush, the writer's thread has made the ring file, or has failed to.
            try writer.flushAndWait()
            let isThere = try FileManager.default.contentsOfDirectory(atPath: folder).contains { $0.hasSuffix(".ring") }
            precondition(isThere == hasRing, "the folder for temporary files is on a file system without ring files")
        }

        func end() throws {
            try writer.closeAndWait()
            precondition(writer.statistics.dropped == 0, "the benchmark lost events")
            try FileManager.default.removeItem(atPath: folder)
        }
    }

    @MainActor func run() throws {
        let sample = FileBenchmarks.sample(Self.eventsPerRound)
        let contenders = try [Contender("the ring in memory alone", hasRing: false), Contender("the ring with its file", hasRing: true)]
        for run in 0...runs {
            var sums = [0.0, 0.0]
            for round in 0..<rounds {
                // The two take turns, so that both run under the same load.
                for place in round % 2 == 0 ? [0, 1] : [1, 0] {
                    let start = threadProcessorSeconds()
                    for event in sample { contenders[place].writer.record(event) }
                    sums[place] += threadProcessorSeconds() - start
                    try contenders[place].writer.flushAndWait()
                }
            }
            if run > 0 { for place in 0...1 { contenders[place].seconds.append(sums[place]) } }
        }
        for round in 0..<rounds {
            for place in round % 2 == 0 ? [0, 1] : [1, 0] {
                for event in sample {
                    let start = DispatchTime.now().uptimeNanoseconds
                    contenders[place].writer.record(event)
                    contenders[place].calls.append(DispatchTime.now().uptimeNanoseconds - start)
                }
                try contenders[place].writer.flushAndWait()
            }
        }
        let events = rounds * sample.count
        var table = Table(
            "**`record()` and the ring file**, \(thousands(Double(events))) events a run, processor time of the calling thread, in turns",
            comparedWith: "memory")
        for contender in contenders { table.add(Measurement(name: contender.name, events: events, seconds: contender.seconds)) }
        table.show()
        // The median of the runs' ratios, because within a run both had the same load.
        let ratios = zip(contenders[1].seconds, contenders[0].seconds).map { $0 / $1 }.sorted()
        let tails = contenders.map { contender in
            let sorted = contender.calls.sorted()
            return Double(sorted[sorted.count * 999 / 1_000])
        }
        for contender in contenders { try contender.end() }
        let ratio = ratios[ratios.count / 2]
        judge("`record()` with a ring file takes \(fixed(ratio, 2)) of the time without", target: "at most 1.10", isMet: ratio <= 1.1)
        judge(
            "one call of a thousand takes \(fixed(tails[1])) ns and more, \(fixed(tails[0])) ns without a ring file",
            target: "at most 3 times", isMet: tails[1] <= 3 * tails[0])
    }
}
