import Basics
import LoopCore
import Testing

/// How a system begins, and what is said of one that never did.
@MainActor @Suite struct StartTests {
    @Test func `start ends the chain and begins the feedbacks after all that was bound`() {
        var shown: [Int] = []
        let system = System<Int, Int>(initialState: 0, feedbacks: [.onEachState { $0 == 0 ? .event(1) : .none }], reducer: { $0 = $1 })
            .bind { shown.append($0) }
            .start()
        #expect(shown == [0, 1])
        #expect(system.start() === system)
        #expect(shown == [0, 1])
    }

    private func reports(_ make: () -> Void) -> [String] {
        let reports = Lock<[String]>([])
        Misuse.$report.withValue({ message in reports.withLock { $0.append(message) } }, operation: make)
        return reports.withLock { $0 }
    }

    private func system(_ feedbacks: [Feedback<Int, Int>]) -> System<Int, Int> {
        System(initialState: 0, feedbacks: feedbacks, reducer: { $0 = $1 }).bind { _ in }
    }

    @Test func `a system with feedbacks that goes without having begun says so once, in debug builds`() {
        let said = reports { _ = system([.onEachState { _ in .none }, .onEachState { _ in .none }]) }
        #if DEBUG
        #expect(said.count == 1)
        #expect(said.first?.contains("System<Int, Int> with feedbacks was released before they began") == true)
        #else
        #expect(said.isEmpty)
        #endif
    }

    @Test func `a system that has begun, was stopped or has no feedbacks goes silently`() {
        #expect(reports { system([.onEachState { _ in .none }]).start() }.isEmpty)
        #expect(reports { system([.onEachState { _ in .none }]).send(1) }.isEmpty)
        #expect(reports { system([.onEachState { _ in .none }]).stop() }.isEmpty)
        #expect(reports { _ = system([]) }.isEmpty)
    }
}
