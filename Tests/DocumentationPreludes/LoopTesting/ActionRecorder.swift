import Testing
struct Payment: Action {}
struct Checkout: Action {}
let dispatcher = Dispatcher()
