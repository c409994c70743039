import LoopCore

private struct Cart { var items: [String] = [] }
private enum CartEvent { case add(String) }
private struct Detail { var sku = "" }
private enum DetailEvent { case close }

private struct App { var cart = Cart(), detail = Detail() }
private enum AppEvent { case cart(CartEvent), detail(DetailEvent) }

private let crossed = Part(\App.cart, AppEvent.detail)

private func wrongPair(_ cart: Reducer<Cart, CartEvent>, _ system: System<App, AppEvent>) {
    // swift-format-ignore
    _ = cart.on(crossed)  // refused: cannot convert value of type 'Part<App, AppEvent, Cart, DetailEvent>' to expected argument type 'Part<App, AppEvent, Cart, CartEvent>'
    _ = system.scope(crossed).send(.add("shoes"))  // refused: type 'DetailEvent' has no member 'add'
}
