/// One library at the common task: it increments an integer through its public API, with one observer.
struct Contender {
    let name: String
    let isOurs: Bool
    /// Counts from 0 to the given number. It runs on the main actor, because one of the peers requires that.
    let count: @MainActor (Int) async -> Tally

    init(_ name: String, isOurs: Bool = false, count: @escaping @MainActor (Int) async -> Tally) {
        self.name = name
        self.isOurs = isOurs
        self.count = count
    }
}

/// The result of a count.
struct Tally {
    /// The library's state at the end.
    var state: Int
    /// The last state that its observer was shown.
    var shown: Int
    /// How many states the observer was shown. Some libraries also show the first state.
    var showings: Int
}

/// The one observer.
final class Onlooker {
    private(set) var last = 0
    private(set) var showings = 0

    func see(_ state: Int) {
        last = state
        showings += 1
    }

    func tally(state: Int) -> Tally { Tally(state: state, shown: last, showings: showings) }
}

/// The only event.
enum Increment { case up }
