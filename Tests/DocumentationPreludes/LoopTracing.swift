import EventFiles
import LoopCore
import LoopTesting
import LoopTracing
import LoopTracking
import TrackingEvents

enum ShopEvent { case load(String), openCart }

@MainActor let system = System(initialState: 0) { (_: inout Int, _: ShopEvent) in }
@MainActor let measurements = Measurements()
let writer = MemorySink()
