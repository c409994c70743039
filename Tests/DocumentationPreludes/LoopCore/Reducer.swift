enum Login {
    struct State {
        var name = ""
        var isBusy = false
        var token: String?
    }
    enum Event { case submit, leave, answered(String) }
}
enum Checkout {
    enum Event { case pay, leave }
    static func reduce(state: Int, event: Event) -> Next<Int> { .state(state) }
}
struct API { func signIn(_ name: String) async throws -> String { name } }
let api = API()
