import LoopCore
import LoopFlux
import LoopMigration
import Testing

/// Names of the earlier libraries that mean what ours mean.
@MainActor @Suite struct SpellingTests {
    private struct Count: StateType { var value = 0 }

    @Test func `events are sent and states called back by PromisedArchitectureKit's names`() {
        let system = System(initialState: Count(), history: .last(2)) { (count: inout Count, event: Int) in count.value += event }
        var seen: [[Int]] = []
        system.addLoopCallback { state, history in seen.append([state.value] + history.map(\.value)) }
        system.sendEvent(1)
        system.sendEvent(2)
        #expect(seen.map(\.first) == [0, 1, 3] && seen.last?.suffix(2) == [1, 3])
    }

    @Test func `a value is made once for its key`() {
        var prices: [String: Int] = [:]
        #expect(prices.getOrPut("a") { 1 } == 1 && prices.getOrPut("a") { 2 } == 1 && prices == ["a": 1])
    }

    @Test func `a bag and a controller are what RxSwift calls them`() {
        final class Controller: Disposable {
            var isDisposed = false
            func dispose() { isDisposed = true }
        }
        let controller = Controller()
        let ends: [any Disposable] = [controller]
        for end in ends { end.dispose() }
        #expect(controller.isDisposed)
        _ = DisposeBag()
    }
}
