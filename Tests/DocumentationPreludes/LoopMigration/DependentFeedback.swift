struct State { var query: String? }
enum Event { case found([Product]) }
struct Services {
    static let live = Services()
    func search(_ query: String) async throws -> [Product] { [] }
}
nonisolated func reduce(state: inout State, event: Event) {}
