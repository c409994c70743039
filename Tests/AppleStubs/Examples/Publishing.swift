import Combine
import LoopCore
import LoopMigration

@MainActor func printTitles(of system: System<String, Int>) -> AnyCancellable {
    system.publisher.sink { print($0) }
}

enum Fault: Error { case offline }

@MainActor func listen(prices: AnyPublisher<Int, Never>, news: AnyPublisher<Int, Fault>) -> System<String, Int> {
    let onStart = Feedback<String, Int>.always { .publisher { prices } }
    let whileNamed = Feedback<String, Int>.while({ !$0.isEmpty }) { _ in .publisher { news } }
    return System(
        initialState: "", feedbacks: [onStart, whileNamed], reducer: { (state: inout String, event: Int) in state += "\(event)" })
}
