enum Screen { case home(Home.State), closed }
enum Cart {
    struct State {}
    enum Event { case clear }
    static var reducer: Reducer<State, Event> { Reducer { (_: inout State, _: Event) in } }
    static var search: Feedback<State, Event> { .always { .event(.clear) } }
}
enum Detail {
    struct State {}
    enum Event { case close }
    static var reducer: Reducer<State, Event> { Reducer { (_: inout State, _: Event) in } }
}
enum Home {
    struct State {}
    enum Event { case show }
}
enum App {
    struct State {
        var cart = Cart.State()
        var detail: Detail.State?
    }
    enum Event { case cart(Cart.Event), detail(Detail.Event), home(Home.Event) }
    static func reduce(state: inout State, event: Event) {}
}
let system = System(initialState: App.State(), reducer: Reducer(App.reduce))
