import DeflateReference
import EventFiles
import Foundation
import TrackingEvents

/// The cost of writing events into gzip files of level 1, beside zlib alone on the same bytes.
struct FileBenchmarks {
    let events: Int
    let runs: Int

    /// Events like an app's: 30 names, 5,000 users, four properties.
    static func sample(_ count: Int) -> [StampedEvent] {
        var random = SeededRandom(seed: 42)
        var time: Int64 = 1_767_225_600_000
        return (0..<count).map { number in
            time += Int64(random.next() % 40)
            let session = random.next() % 5_000
            return StampedEvent(
                timeMilliseconds: time,
                event: .event(
                    "event_\(random.next() % 30)",
                    [
                        "screen": .string(["Home", "Catalog", "Product", "Cart"][Int(random.next() % 4)]),
                        "product": .string("sku-\(random.next() % 2_000)"), "price": .double(Double(random.next() % 50_000) / 100),
                        "position": .int(Int64(random.next() % 100)),
                    ]),
                user: "u\(session)", session: "\(String(session &* 0x9E37_79B9_7F4A_7C15, radix: 16))", sequence: Int64(number + 1),
                id: EventID(milliseconds: time, random: &random), system: "shop")
        }
    }

    #if Libdeflate
    private static let target = 1.3
    #else
    private static let target = 0.9
    #endif

    @MainActor func run() throws {
        let sample = Self.sample(events)
        let encoder = EventLineEncoder()
        var raw: [UInt8] = []
        for event in sample { raw += encoder.line(of: event) ?? [] }
        let clock = ContinuousClock()
        var reference: [Double] = []
        var writer: [Double] = []
        // The two take turns, so that a machine that slows down slows down both.
        for run in 0...runs {
            let start = clock.now
            let size = raw.withUnsafeBufferPointer { deflate_blocks($0.baseAddress, $0.count, 65_280, 1) }
            precondition(size > 0)
            if run > 0 { reference.append((clock.now - start) / .seconds(1)) }
            let all = try write(sample)
            if run > 0 { writer.append(all) }
        }
        var table = Table(
            "**To gzip level 1**, \(thousands(Double(events))) events of \(raw.count / events) bytes, wall time until the file is sealed",
            comparedWith: "zlib alone")
        table.add(Measurement(name: "zlib's `deflate` and `crc32` alone, one thread, in C", events: events, seconds: reference))
        table.add(Measurement(name: "the writer, from `record()` to the sealed file", events: events, seconds: writer))
        table.show()
        let ratio = zip(writer, reference).map { $1 / $0 }.sorted()[runs / 2]
        judge("the writer is \(fixed(ratio, 2)) times as fast as zlib alone", target: "\(Self.target)", isMet: ratio >= Self.target)
    }

    /// The seconds until the file was sealed.
    private func write(_ events: [StampedEvent]) throws -> Double {
        let folder = NSTemporaryDirectory() + "looptrail-benchmark-\(ProcessInfo.processInfo.processIdentifier)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let clock = ContinuousClock()
        let writer = try EventFileWriter(folder: folder, options: .lossless)
        let start = clock.now
        for event in events { writer.record(event) }
        try writer.closeAndWait(deadline: .seconds(600))
        let all = (clock.now - start) / .seconds(1)
        precondition(writer.statistics.written >= events.count, "the benchmark lost events")
        return all
    }
}
