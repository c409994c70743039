import Logging
let levels = LogLevels<ShopState, ShopEvent>(atLeast: .info) { _ in .info }
