struct Row {
    enum Event { case more }
    let id: Int
    static var reducer: Reducer<Row, Event> { Reducer { (_: inout Row, _: Event) in } }
}
enum App {
    struct State { var rows: [Row] = [] }
    enum Event { case row(Row.ID, Row.Event) }
    static func reduce(state: inout State, event: Event) {}
}
extension Row: Identifiable {}
let system = System(initialState: App.State(), reducer: Reducer(App.reduce))
