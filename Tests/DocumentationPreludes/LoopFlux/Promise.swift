struct Loaded { var result: Result<Product, any Error> }
let action = Loaded(result: .success(mug))
var state = Shop.State()
