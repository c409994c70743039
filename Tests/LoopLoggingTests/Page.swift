import LoopCore
import LoopLogging
import LoopTesting

/// What the tests of this folder log.
enum Page: Equatable { case start, loading, loaded(String), counting(Int) }
enum Move { case load(String), fail(String), leave, wait, tick, count }

struct Broken: Error, CustomStringConvertible {
    var description: String
}

/// The module of the tests, as it stands in an origin before the file's name.
let here = "LoopLoggingTests"

@MainActor struct Book {
    let time = ManualClock()

    func open(_ state: Page = .start) -> System<Page, Move> {
        let time = time
        return System(
            initialState: state,
            clock: time.clock,
            next: { (page: Page, move: Move) -> Next<Page> in
                time.advance(by: .nanoseconds(40))
                switch move {
                case .load(let id):
                    return .run {
                        time.advance(by: .milliseconds(2))
                        return .loaded(id)
                    }.stateWhenLoading(.loading)
                case .fail(let reason): return .run { throw Broken(description: reason) }
                case .wait:
                    return .run {
                        let (stream, _) = AsyncStream<Never>.makeStream()
                        for await _ in stream {}
                        throw CancellationError()
                    }
                case .leave: return .state(.start)
                case .tick: return .state(page)
                case .count:
                    guard case .counting(let number) = page else { return .state(.counting(1)) }
                    return .state(.counting(number + 1))
                }
            })
    }
}

/// Keeps lines for a test to look at.
final class Lines {
    private(set) var all: [String] = []

    var output: LogOutput { .closure { self.all.append($0) } }
}
