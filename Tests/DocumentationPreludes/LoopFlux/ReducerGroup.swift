private typealias Load = Shop.Load
private typealias Loaded = Shop.Loaded
let store = ShopStore(Shop.State(), dispatcher: dispatcher, controller: Shop.Controller(dispatcher.inbox()))
