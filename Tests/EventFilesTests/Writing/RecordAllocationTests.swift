import AllocationCount
import Basics
import EventFiles
import Testing
import TrackingEvents

@Suite struct RecordAllocationTests {
    /// What code that is not optimised allocates for each call: boxes of the compiler, one for the event and one a property. Optimised code
    /// has none.
    private func boxes(_ properties: Int) -> Int {
        #if DEBUG
        1 + properties
        #else
        0
        #endif
    }

    /// The ring in memory may grow at any time, because the thread empties it at its own pace. That is once in thousands of events.
    @Test(.enabled(if: allocations_of_this_thread() >= 0, "this system's allocator cannot be counted"), arguments: [0, 4, 12])
    func `recording an event allocates no memory`(properties: Int) throws {
        let folder = try WriterTestFolder()
        let writer = try EventFileWriter(folder: folder.path)
        var random = SeededRandom(seed: 42)
        let events = (1...1_000).map { (number: Int) -> StampedEvent in
            let event = TrackingEvent(
                "event_\(number % 30)",
                TrackingProperties(
                    (0..<properties).map { ("key_\($0)", $0 % 2 == 0 ? .string("sku-\(number)") : .double(Double(number) / 4)) }))
            return StampedEvent(
                timeMilliseconds: Int64(number), event: event, user: "u\(number % 500)", session: "s\(number % 500)",
                sequence: Int64(number), id: EventID(milliseconds: Int64(number), random: &random), system: "shop")
        }
        var count = 0
        // The first rounds allocate what is kept: the ring, and the thread's buffer.
        for _ in 0..<4 {
            let before = allocations_of_this_thread()
            for event in events { writer.record(event) }
            count = allocations_of_this_thread() - before
            try writer.flushAndWait()
        }
        try writer.closeAndWait()
        #expect(count <= events.count * boxes(properties) + events.count / 100)
    }
}
