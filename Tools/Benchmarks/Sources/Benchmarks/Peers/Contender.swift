/// One library at the common task: an integer counter, so many increments through the public API, one observer.
struct Contender {
    let name: String
    let isOurs: Bool
    /// Counts to the number it is given, from 0, on the main actor: one of the peers insists on it.
    let count: @MainActor (Int) async -> Tally

    init(_ name: String, isOurs: Bool = false, count: @escaping @MainActor (Int) async -> Tally) {
        self.name = name
        self.isOurs = isOurs
        self.count = count
    }
}

/// What came out of a count.
struct Tally {
    /// The library's state at the end.
    var state: Int
    /// The last state that its observer was shown.
    var shown: Int
    /// How often it was shown one. Some libraries show the first state as well, and some do not.
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
