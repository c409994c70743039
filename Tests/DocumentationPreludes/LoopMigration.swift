import LoopCore
import LoopFlux
import LoopMigration
import LoopViews

struct Product: Equatable, Sendable {
    var sku = ""
}

let sku = "mug"
@MainActor let dispatcher = Dispatcher()
