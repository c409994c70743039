struct Loaded { var promise: Promise<Product> = .idle() }
let action = Loaded()
var state = Shop.State()
