import LoopCore
import LoopTesting

/// What a counter of another make holds.
struct Count: Equatable {
    var number = 0
}

/// What a counter of another make is told.
enum CountEvent: Equatable { case up, down(by: Int), nothing }

extension Count {
    mutating func apply(_ event: CountEvent) {
        switch event {
        case .up: number += 1
        case .down(let by): number -= by
        case .nothing: break
        }
    }

    func applying(_ event: CountEvent) -> Count {
        var next = self
        next.apply(event)
        return next
    }
}

extension StepRecorder where State == Count {
    /// The counted number of each step.
    var counts: [Int] { steps.map(\.state.number) }
    /// The number before each step, `nil` where the step tells none.
    var previousCounts: [Int?] { steps.map { $0.previousState?.number } }
}

extension StepRecorder {
    /// The place of each step in its loop.
    var places: [Int] { steps.map(\.number) }
}

/// Something that a middleware's handler keeps, to see when it lets go.
final class ReleaseMark {
    private(set) var touched = 0
    func touch() { touched += 1 }
}
