import LoopCore
import LoopLogging
import LoopTesting
import LoopTracing
import LoopTracking
import TrackingEvents

extension Contender {
    /// Looptrail with nothing attached.
    static let bare = looptrail("Looptrail") { [] }
    /// Looptrail with a middleware that does nothing: the price of being watched.
    static let idle = looptrail("Looptrail, an idle middleware") { [Middleware { _ in }] }
    /// Looptrail as apps use it: with a filtered log, a trace and a tracker.
    static let watched = looptrail("Looptrail, log of every tenth + trace + track of every tenth") {
        [
            .log(to: LogMemory(capacity: 1_000), only: .steps { $0.state % 10 == 0 }), .measure(into: Measurements()), tracking,
        ]
    }
    /// Looptrail with a log of every step, a trace and a tracker.
    static let watchedWhole = looptrail("Looptrail, log of every step + trace + track of every tenth") {
        [.log(to: LogMemory(capacity: 1_000)), .measure(into: Measurements()), tracking]
    }

    private static var tracking: Middleware<Int, Increment> {
        .trackSteps(to: Tracker(to: MemorySink(capacity: 10_000), user: "u1"), needs: []) { step in
            step.number % 10 == 0 ? .event("counted", ["total": .int(step.state), "kind": "step"]) : nil
        }
    }

    private static func looptrail(_ name: String, _ middleware: @escaping @MainActor () -> [Middleware<Int, Increment>]) -> Contender {
        Contender(name, isOurs: true) { events in
            let onlooker = Onlooker()
            let system = System(initialState: 0) { (state: inout Int, _: Increment) in state += 1 }
                .bind { onlooker.see($0) }
            for one in middleware() { system.attach(one) }
            for _ in 0..<events { system.send(.up) }
            return onlooker.tally(state: system.state)
        }
    }
}
