import EventFiles
import Foundation
import LoopCore
import LoopLogging
import LoopTesting
import LoopTracing
import LoopTracking
import TrackingEvents

/// The cost of watching: the same loop with nobody watching it, and with each kind of middleware.
///
/// Measured in processor time of the loop's thread, which leaves out other threads and other programs. The rows take turns.
actor WatchingBenchmarks {
    enum Event { case up, down(Int) }

    private typealias Loop = System<Int, Event>

    /// One row of the table. `prepare` returns what to do after the round.
    private struct Row {
        let name: String
        let prepare: (Loop) throws -> () throws -> Void

        init(_ name: String, _ prepare: @escaping (Loop) throws -> () throws -> Void) {
            self.name = name
            self.prepare = prepare
        }

        init(_ name: String, attaching make: @escaping () -> [Middleware<Int, Event>]) {
            self.init(name) { system in
                for one in make() { system.attach(one) }
                return {}
            }
        }
    }

    private let events: Int
    private let rounds: Int

    init(events: Int, rounds: Int) {
        self.events = events
        self.rounds = rounds
    }

    private func makeSystem() -> Loop {
        System(
            initialState: 0,
            reducer: { (state: inout Int, event: Event) in
                switch event {
                case .up: state += 1
                case .down(let number): state -= number
                }
            })
    }

    /// Every `n`-th step yields an event of two properties.
    private static func track(every n: Int, to sink: any TrackingSink) -> Middleware<Int, Event> {
        .trackSteps(to: Tracker(to: sink, user: "u1"), needs: []) { step in
            step.number % n == 0 ? .event("counted", ["total": .int(step.state), "kind": "step"]) : nil
        }
    }

    private static func memory() -> MemorySink { MemorySink(capacity: 10_000) }

    private func rows(_ folder: String) -> [Row] {
        [
            Row("bare") { [] },
            Row("one idle middleware") { [Middleware { _ in }] },
            Row("log, every step filtered out") { [.log(LogOptions(except: ["up", "down"]), to: .closure { _ in })] },
            Row("log to memory (last 1,000, formatted when read)") { [.log(to: LogMemory(capacity: 1_000))] },
            Row("trace: histograms by event and phase") { [.measure(into: Measurements())] },
            Row("trace: slow steps only, of which there are none") { [.reportSlowSteps(over: .seconds(1)) { _ in }] },
            Row("trace: the spans of every tenth step to a Chrome trace file") { system in
                let file = try ChromeTraceFile(path: folder + "/loop.trace.json", maxBytes: 1 << 30)
                system.attach(Middleware.trace(to: file).sampled(every: 10))
                return { file.finish() }
            },
            Row("track every step to memory") { [Self.track(every: 1, to: Self.memory())] },
            Row("track every tenth step to memory") { [Self.track(every: 10, to: Self.memory())] },
            Row("log to memory + trace + track every tenth to memory") {
                [.log(to: LogMemory(capacity: 1_000)), .measure(into: Measurements()), Self.track(every: 10, to: Self.memory())]
            },
            Row("track every tenth step to files") { system in
                let writer = try EventFileWriter(folder: folder + "/events", options: .lossless)
                system.attach(Self.track(every: 10, to: writer))
                return {
                    try writer.closeAndWait()
                    precondition(writer.statistics.dropped == 0, "the benchmark lost events")
                }
            },
        ]
    }

    func run() throws {
        let folder = NSTemporaryDirectory() + "looptrail-watching-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let rows = rows(folder)
        var seconds = [[Double]](repeating: [], count: rows.count)
        for round in 0...rounds {
            for (place, row) in rows.enumerated() {
                let system = makeSystem()
                let end = try row.prepare(system)
                let start = threadProcessorSeconds()
                for number in 0..<events { system.send(number & 7 == 7 ? .down(3) : .up) }
                let elapsed = threadProcessorSeconds() - start
                precondition(system.eventNumber == events)
                try end()
                if round > 0 { seconds[place].append(elapsed) }
            }
        }
        var table = Table(
            "**The cost of watching**, \(thousands(Double(events))) events, processor time of the loop's thread", comparedWith: "bare")
        for (row, own) in zip(rows, seconds) { table.add(Measurement(name: row.name, events: events, seconds: own)) }
        table.show()
    }
}
