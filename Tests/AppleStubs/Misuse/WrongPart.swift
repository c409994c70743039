import LoopCore

private struct Cart { var items: [String] = [] }
private enum CartEvent { case add(String) }
private struct Detail { var sku = "" }
private enum DetailEvent { case close }

private struct App { var cart = Cart(), detail = Detail() }
private enum AppEvent { case cart(CartEvent), detail(DetailEvent), close }

private let crossed = Part(\App.cart, AppEvent.detail)
// For each of the next two, the compiler also reports at the same place what it could not infer.
private let misspelt = Part(\App.crat, AppEvent.cart)  // refused: value of type 'App' has no member 'crat'
// swift-format-ignore
private let withoutPayload = Part(\App.cart, AppEvent.close)  // refused: cannot convert value of type 'AppEvent' to expected argument type '@Sendable (Event) -> WholeEvent'

private func wrongPair(_ cart: Reducer<Cart, CartEvent>, _ system: System<App, AppEvent>) {
    // swift-format-ignore
    _ = cart.on(crossed)  // refused: cannot convert value of type 'Part<App, AppEvent, Cart, DetailEvent>' to expected argument type 'Part<App, AppEvent, Cart, CartEvent>'
    _ = system.scope(crossed).send(.add("shoes"))  // refused: type 'DetailEvent' has no member 'add'
}
