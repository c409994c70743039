import LoopCore
import LoopLogging
import os

/// A system that writes its steps to Apple's unified log.
@MainActor func makeLoggedSystem() -> System<Int, Int> {
    System(initialState: 0, reducer: { (total: inout Int, number: Int) in total += number })
        .attach(.log(.changes, to: .osLogger(os.Logger(subsystem: "org.example.shop", category: "loop"))))
}
