struct Shop: Equatable { var detail: Int? }
struct DetailView { let store: ViewStore<Int, Int> }
let store = ViewStore(System(initialState: Shop()) { (_: inout Shop, _: Int) in })
enum App: Equatable { case signedIn(Int), signedOut }
enum AppEvent { case home(Int) }
struct HomeView { let home: ViewStore<Int, Int> }
let app = ViewStore(System(initialState: App.signedOut) { (_: inout App, _: AppEvent) in })
