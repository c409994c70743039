struct Counter { static let start = Counter() }
enum Tap { case up }
struct OldSystem {
    func addLoopCallback(_ callback: @escaping (Counter, [Counter]) -> Void) {}
}
struct Store {
    var state = Counter.start
    func subscribe(_ callback: @escaping (Counter) -> Void) {}
}
func reduce(_ state: Counter, _ event: Tap) -> Counter { state }
let middleware = Middleware<Counter, Tap> { _ in }
let oldSystem = OldSystem()
let store = Store()
