import Combine
import LoopCore

@MainActor func printTitles(of system: System<String, Int>) -> AnyCancellable {
    system.publisher.sink { print($0) }
}
