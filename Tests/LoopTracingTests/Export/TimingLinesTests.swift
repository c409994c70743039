import LoopTesting
import Testing
import TrackingEvents

@testable import LoopTracing

@Suite struct TimingLinesTests {
    private let time = ManualWallClock()
    private let sink = MemorySink()

    private func lines(of measurements: Measurements) -> TimingLines {
        TimingLines(of: measurements, to: sink, clock: time.clock, random: SeededRandom(seed: 3))
    }

    /// What a reader of the sink's lines would find, by event and phase.
    private func merged(_ events: [StampedEvent]) throws -> [String: LatencyHistogram] {
        var all: [String: LatencyHistogram] = [:]
        for event in events {
            let line = try #require(EventLineEncoder().line(of: event))
            let timing = try line.dropLast().withContiguousStorageIfAvailable { bytes in
                let raw = UnsafeRawBufferPointer(bytes)
                let found = try EventLineScanner(.wholeLine).scan(raw)
                return try #require(TimingLine(properties: found.properties.bytes(in: raw)))
            }
            let read = try #require(timing)
            all["\(event.system ?? "") \(read.event) \(read.phase)", default: LatencyHistogram()].merge(LatencyHistogram(read.buckets))
        }
        return all
    }

    @Test func `a write makes a timing line for each event and phase, without a user or a session`() throws {
        let measurements = Measured.times([10, 20], system: "shop")
        lines(of: measurements).write()
        #expect(sink.events.isEmpty && sink.all.map(\.kind) == [.timing, .timing, .timing, .timing])
        #expect(sink.all.allSatisfy { $0.event.name == "step_timing" && $0.system == "shop" && $0.timeMilliseconds == time.milliseconds })
        #expect(sink.all.allSatisfy { $0.user == nil && $0.session == nil && $0.sequence == nil })
        #expect(Set(sink.all.map(\.id)).count == 4)
        let all = try merged(sink.all)
        #expect(all.keys.sorted() == ["shop tick bindings", "shop tick queue_wait", "shop tick reduce", "shop tick total"])
        #expect(all["shop tick reduce"] == measurements.event("tick", system: "shop")?[.reduce])
    }

    @Test(arguments: Sample.allCases)
    func `the lines of several writes and processes add up to one histogram of everything`(sample: Sample) throws {
        var whole = LatencyHistogram()
        for process in 1...3 {
            let measurements = Measurements()
            let lines = lines(of: measurements)
            for write in 1...4 {
                for value in sample.values(500, seed: UInt64(process * 10 + write)) {
                    Measured.note("tick", reduce: value, in: measurements)
                    whole.record(value)
                }
                lines.write()
            }
        }
        #expect(try merged(sink.all)[" tick reduce"] == whole)
    }

    @Test func `without new values nothing is written`() {
        let measurements = Measured.times([10])
        let lines = lines(of: measurements)
        lines.write()
        let before = sink.all.count
        lines.write()
        #expect(sink.all.count == before)
        Measured.note("other", reduce: 1, effect: 5, in: measurements)
        lines.write()
        #expect(sink.all.count == before + 5)
    }

    @Test func `a collection that was reset is told from its new beginning`() throws {
        let measurements = Measured.times([10, 1000])
        let lines = lines(of: measurements)
        lines.write()
        measurements.reset()
        Measured.note("tick", reduce: 50, in: measurements)
        sink.removeAll()
        lines.write()
        #expect(try merged(sink.all)[" tick reduce"]?.max == 50)
    }

    @Test func `all times after a reset are written, even if as many came before it`() throws {
        let measurements = Measured.times([10, 10, 10])
        let lines = lines(of: measurements)
        lines.write()
        measurements.reset()
        for _ in 1...5 { Measured.note("tick", reduce: 10, in: measurements) }
        sink.removeAll()
        lines.write()
        #expect(try merged(sink.all)[" tick reduce"]?.count == 5)
    }

    @Test func `it writes at every interval, and once more when its task is cancelled`() async throws {
        let clock = ManualClock()
        let measurements = Measured.times([10])
        let lines = lines(of: measurements)
        let task = Task { await lines.write(every: .seconds(60), clock: clock) }
        await clock.whenSleeping()
        #expect(sink.all.count == 0)
        clock.advance(by: .seconds(60))
        await clock.whenSleeping()
        #expect(sink.all.count == 4)
        Measured.note("tick", reduce: 20, in: measurements)
        clock.advance(by: .seconds(59))
        #expect(sink.all.count == 4)
        task.cancel()
        await task.value
        #expect(sink.all.count == 8)
        #expect(try merged(sink.all)[" tick reduce"] == measurements.event("tick")?[.reduce])
    }

    @Test func `whoever writes while others measure, no value is told twice and none is lost`() async throws {
        let measurements = Measurements()
        let lines = lines(of: measurements)
        await withTaskGroup(of: Void.self) { group in
            for worker in 1...4 {
                group.addTask { for time in 1...2_000 { Measured.note("tick", reduce: UInt64(worker * time), in: measurements) } }
                group.addTask { for _ in 1...20 { lines.write() } }
            }
        }
        lines.write()
        #expect(try merged(sink.all)[" tick reduce"] == measurements.event("tick")?[.reduce])
        #expect(measurements.event("tick")?.count == 8_000)
    }
}
