struct CounterSet: Action { let counter: Int }
struct Counter: Equatable { var counter = 0 }
let store = Store(Counter(), dispatcher: dispatcher, controller: Shop.Controller(dispatcher.inbox()))
