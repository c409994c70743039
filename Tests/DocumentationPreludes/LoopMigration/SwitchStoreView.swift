enum App: Equatable { case signedIn(Int), signedOut(Int) }
enum AppEvent { case home(Int), signIn(Int) }
struct HomeView: View {
    let store: ViewStore<Int, Int>
    var body: some View { EmptyView() }
}
struct SignInView: View {
    let store: ViewStore<Int, Int>
    var body: some View { EmptyView() }
}
let app = ViewStore(System(initialState: App.signedOut(0)) { (_: inout App, _: AppEvent) in })
