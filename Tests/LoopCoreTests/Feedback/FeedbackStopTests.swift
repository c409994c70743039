import LoopCore
import LoopMigration
import Testing

/// A system that is stopped by the code of its own feedbacks.
@MainActor @Suite struct FeedbackStopTests {
    struct Broken: Error {}

    private final class Owner {
        weak var system: System<Int, Int>?
        var log: [String] = []
    }

    @Test("the work under way is told as cancelled when a middleware stops the system at an effect's failure")
    func stopAtFailure() async {
        let owner = Owner()
        let system = System<Int, Int>(
            initialState: 0,
            feedbacks: [
                .compacting(events: { $0 == 1 ? 1 : nil }) { (_: Int) -> Effect<Int> in
                    .sending { _ in
                        await Task.yield()
                        throw Broken()
                    }
                }
            ],
            next: { (state: Int, event: Int) -> Next<Int> in
                if event == 1 { return .state(1) }
                return .run {
                    while !Task.isCancelled { await Task.yield() }
                    return 2
                }
            })
        owner.system = system
        system.attach(
            Middleware { step in
                owner.log.append("\(step.number) \(step.phase) \(step.outcome.map { $0.isCancelled ? "cancelled" : "\($0)" } ?? "")")
                if step.phase == .effectFailed { owner.system?.stop() }
            })
        system.send(1)
        system.send(2)
        while !system.isStopped { await Task.yield() }
        #expect(
            owner.log == [
                "0 initial finished", "1 settled finished", "2 effectFailed failed(\(String(reflecting: Broken())))", "2 settled cancelled",
            ])
        #expect(system.state == 1)
    }

    @Test("no effect begins when the closure that makes it has stopped the system")
    func stopInMaking() {
        let owner = Owner()
        let making: (Int) -> Effect<Int> = { _ in
            owner.system?.stop()
            return .sending(isAwaited: false) { _ in owner.log.append("began") }
        }
        let system = System<Int, Int>(
            initialState: 0, feedbacks: [.compacting(events: { $0 }, effect: making), .middleware(event: making)],
            reducer: { $0 += $1 })
        owner.system = system
        system.send(1)
        #expect(owner.log == [])
        #expect(system.runningEffects == 0)
        #expect(system.isStopped && system.state == 1)
    }

    @Test("an effect whose predecessor stops the system at its end does not begin")
    func stopInDetaching() {
        let owner = Owner()
        let system = System<Int, Int>(
            initialState: 0,
            feedbacks: [
                .compacting(events: { $0 }) { (event: Int) -> Effect<Int> in
                    .attached { _ in
                        owner.log.append("on \(event)")
                        return {
                            owner.log.append("off \(event)")
                            owner.system?.stop()
                        }
                    }
                }
            ], reducer: { $0 += $1 })
        owner.system = system
        system.send(1)
        system.send(2)
        #expect(owner.log == ["on 1", "off 1"])
        #expect(system.runningEffects == 0)
        #expect(system.isStopped && system.state == 3)
    }

    @Test("an effect that stops the system at its beginning is cancelled with all others")
    func stopInEffect() async {
        let owner = Owner()
        let system = System<Int, Int>(
            initialState: 0,
            feedbacks: [
                .compacting(events: { $0 }) { (_: Int) -> Effect<Int> in
                    .sending { outlet in
                        owner.system?.stop()
                        while !Task.isCancelled { await Task.yield() }
                        owner.log.append("cancelled")
                        outlet.send(1)
                    }
                }
            ], reducer: { $0 += $1 })
        owner.system = system
        system.send(1)
        while owner.log.isEmpty { await Task.yield() }
        await system.settled()
        #expect(system.state == 1)
        #expect(system.runningEffects == 0)
    }
}
