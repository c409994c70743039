import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import LoopTracking

/// What a tracker does in a child process. The child does what its parent has done just before, so that nothing is set up in it for the
/// first time.
@Suite struct ForkedTrackerTests {
    @Test func `a child begins a session of its own, which names the parent's`() async {
        await #expect(processExitsWith: .success) {
            let sink = MemorySink()
            let tracker = Tracker(to: sink, user: "u1", clock: WallClock { 1_767_225_600_000 }, random: SeededRandom(seed: 1))
            func run() -> ArraySlice<TrackedEvent> {
                let count = sink.all.count
                tracker.track(TrackingEvent("a"))
                tracker.track(TrackingEvent("b"))
                return sink.all.dropFirst(count)
            }
            let before = run()
            let session = try #require(tracker.session)
            #expect(before.map(\.sequence) == [1, 2, 3])
            let child = forkWithAlarms()
            if child == 0 {
                let events = Array(run())
                let isNew = events.allSatisfy { $0.session != session && $0.user == "u1" }
                let isNamed = events.first?.event.properties["previous_session"] == .string(session)
                let again = run().map(\.sequence) == [4, 5]
                _exit(isNew && isNamed && events.map(\.sequence) == [1, 2, 3] && again ? 7 : 1)
            }
            #expect(exitCode(ofChild: child) == 7)
            #expect(run().map(\.sequence) == [4, 5], "the parent goes on")
            #expect(tracker.session == session)
        }
    }
}
