let store = ShopStore(Shop.State(), dispatcher: dispatcher, controller: Shop.Controller(dispatcher.inbox()))
typealias Load = Shop.Load
