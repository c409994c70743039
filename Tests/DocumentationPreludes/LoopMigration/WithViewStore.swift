struct Shop: Equatable { var total = 0 }
let shop = ViewStore(System(initialState: Shop()) { (_: inout Shop, _: Int) in })
