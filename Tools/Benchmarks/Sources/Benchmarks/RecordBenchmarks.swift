import AllocationCount
import EventFiles
import Foundation
import TrackingEvents

/// What `record()` costs the thread that calls it, beside `JSONEncoder` for the same events, in time and in allocations.
struct RecordBenchmarks {
    let rounds: Int
    let runs: Int

    /// Few enough to fit into the ring between two flushes, so that no event is dropped and no call waits.
    private static let eventsPerRound = 4_000

    /// The line of the events as a `Codable` type.
    private struct Line: Encodable {
        struct Properties: Encodable {
            let screen: String
            let product: String
            let price: Double
            let position: Int64
        }

        enum CodingKeys: String, CodingKey {
            case version = "v", time = "t_ms", name, user, session, seq, id, system, props
        }

        let version: Int
        let time: Int64
        let name: String
        let user: String?
        let session: String?
        let seq: Int64?
        let id: String
        let system: String?
        let props: Properties

        init(_ event: StampedEvent) {
            (version, time, name, user, session) = (1, event.timeMilliseconds, event.event.name, event.user, event.session)
            (seq, id, system) = (event.sequence, "\(event.id)", event.system)
            var properties = (screen: "", product: "", price: 0.0, position: Int64(0))
            for entry in event.event.properties.entries {
                switch (entry.key, entry.value) {
                case ("screen", .string(let text)): properties.screen = text
                case ("product", .string(let text)): properties.product = text
                case ("price", .double(let number)): properties.price = number
                case ("position", .int(let number)): properties.position = number
                default: break
                }
            }
            props = Properties(
                screen: properties.screen, product: properties.product, price: properties.price, position: properties.position)
        }
    }

    func run() throws {
        let sample = FileBenchmarks.sample(Self.eventsPerRound)
        let lines = sample.map(Line.init)
        let folder = NSTemporaryDirectory() + "looptrail-record-\(ProcessInfo.processInfo.processIdentifier)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let writer = try EventFileWriter(folder: folder)
        let encoder = JSONEncoder()
        var (recording, encoding): ([Double], [Double]) = ([], [])
        var (recordAllocations, encodeAllocations) = (0, 0)
        for run in 0...runs {
            var (recorded, encoded) = (0.0, 0.0)
            for _ in 0..<rounds {
                var before = allocations_of_this_thread()
                var start = threadProcessorSeconds()
                for event in sample { writer.record(event) }
                recorded += threadProcessorSeconds() - start
                recordAllocations = allocations_of_this_thread() - before
                try writer.flushAndWait()
                before = allocations_of_this_thread()
                start = threadProcessorSeconds()
                for line in lines { _ = try encoder.encode(line) }
                encoded += threadProcessorSeconds() - start
                encodeAllocations = allocations_of_this_thread() - before
            }
            if run > 0 {
                recording.append(recorded)
                encoding.append(encoded)
            }
        }
        try writer.closeAndWait()
        precondition(writer.statistics.dropped == 0, "the benchmark lost events")
        let events = rounds * sample.count
        var table = Table(
            "**`record()` on the caller's thread**, \(thousands(Double(events))) events of four properties, processor time of that thread",
            comparedWith: "JSONEncoder")
        table.add(Measurement(name: "`JSONEncoder`, the same event as a `Codable` struct", events: events, seconds: encoding))
        table.add(Measurement(name: "`record()`, the writer's thread at work beside it", events: events, seconds: recording))
        table.show()
        if allocations_of_this_thread() < 0 { return print("\nallocations: not counted on this system") }
        for (name, count) in [("JSONEncoder", encodeAllocations), ("record()", recordAllocations)] {
            let each = Double(count * 1_000 / sample.count) / 1_000
            print("\n\(name): \(each) an event, \(count) allocations in the last \(thousands(Double(sample.count))) events")
        }
    }
}
