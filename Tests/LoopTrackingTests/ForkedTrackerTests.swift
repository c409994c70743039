import Basics
import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import LoopTracking

/// What a tracker does in a child process. The parent has done the same just before the fork, so that the child sets nothing up for the
/// first time.
@Suite struct ForkedTrackerTests {
    @Test func `a child drops and counts its events, says so once, and touches neither sink nor file`() async {
        await #expect(processExitsWith: .success) {
            let (sink, errors) = (MemorySink(), Lock<[TrackerError]>([]))
            let path = NSTemporaryDirectory() + "looptrail-fork-" + UUID().uuidString
            let tracker = Tracker(
                to: sink, anonymousIDs: AnonymousIDFile(path: path), clock: WallClock { 1_767_225_600_000 }, random: SeededRandom(seed: 1),
                onError: { error in errors.withLock { $0.append(error) } })
            func run() {
                for name in ["a", "b"] { tracker.track(TrackingEvent(name)) }
                tracker.setSharedProperty(nil, forKey: "k")
            }
            run()
            let (count, user) = (sink.all.count, tracker.user)
            let child = forkWithAlarms()
            if child == 0 {
                run()
                tracker.reset()
                run()
                let isQuiet = sink.all.count == count && tracker.user == user && tracker.dropped == 4
                _exit(isQuiet && errors.withLock { $0 } == [.inForkedChild] ? 7 : 1)
            }
            #expect(exitCode(ofChild: child) == 7)
            let kept = try String(contentsOfFile: path, encoding: .utf8)
            #expect(kept == user + "\n")
            run()
            #expect(sink.all.map(\.sequence) == [1, 2, 3, 4, 5], "the parent goes on")
            #expect(tracker.dropped == 0 && errors.withLock { $0 } == [])
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    @Test func `a child counts what it drops beyond what was dropped before the fork`() async {
        await #expect(processExitsWith: .success) {
            let tracker = Tracker(to: MemorySink(), consent: .pending)
            for _ in 0...2_000 { tracker.track(TrackingEvent("a")) }
            let before = tracker.dropped
            let child = forkWithAlarms()
            if child == 0 {
                tracker.track(TrackingEvent("b"))
                _exit(tracker.dropped == before + 1 ? 7 : 1)
            }
            #expect(exitCode(ofChild: child) == 7)
            #expect(before > 0 && tracker.dropped == before)
        }
    }

    @Test func `a child counts what it dropped, whatever lock was held at the fork`() async {
        await #expect(processExitsWith: .success) {
            let tracker = Tracker(to: MemorySink())
            tracker.track(TrackingEvent("a"))
            let child = tracker.state.withLock { _ in
                let child = forkWithAlarms(seconds: 10)
                if child == 0 {
                    tracker.track(TrackingEvent("b"))
                    _exit(tracker.dropped == 1 ? 7 : 1)
                }
                return child
            }
            #expect(exitCode(ofChild: child) == 7)
        }
    }
}
