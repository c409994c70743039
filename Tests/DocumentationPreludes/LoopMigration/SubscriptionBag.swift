enum Shop { struct State: Equatable { var product = 0 } }
typealias ShopStore = Store<Shop.State, Void>
