import LoopCore
import LoopTesting
import Testing

/// The state of a counter, for loops of other libraries.
struct Count: Equatable {
    var number = 0
}

/// The events of that counter.
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
    /// The number of each step in its loop.
    var places: [Int] { steps.map(\.number) }
}

/// Something that a middleware's handler keeps, to see when it lets go.
private final class ReleaseMark { var steps = 0 }

/// Expects that a middleware's handler sees `steps` steps while `use` runs, and is released when `use` returns.
@MainActor func expectLetGo<Event>(
    steps: Int, sourceLocation: SourceLocation = #_sourceLocation, _ use: (Middleware<Count, Event>) -> Void
) {
    weak var handler: ReleaseMark?
    do {
        let mark = ReleaseMark()
        handler = mark
        use(Middleware { _ in mark.steps += 1 })
        #expect(mark.steps == steps, sourceLocation: sourceLocation)
    }
    #expect(handler == nil, sourceLocation: sourceLocation)
}
