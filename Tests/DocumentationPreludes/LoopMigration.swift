import LoopCore
import LoopFlux
import LoopMigration

struct Product: Equatable, Sendable {
    var sku = ""
}

let sku = "mug"
@MainActor let dispatcher = Dispatcher()
