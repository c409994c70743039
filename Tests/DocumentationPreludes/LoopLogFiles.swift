import LoopCore
import LoopLogging

@MainActor let system = System(initialState: 0, reducer: { (total: inout Int, number: Int) in total += number })
