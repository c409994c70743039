struct Cart { var items: [Product] = [] }
enum CartEvent { case clear }
struct AppState { var cart = Cart() }
enum AppEvent { case cart(CartEvent) }
let system = System(initialState: AppState()) { (_: inout AppState, _: AppEvent) in }
