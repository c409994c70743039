struct Items {}
enum Load { case all }
final class Promise {
    var loadingState: Items?
    func done(_ body: (Items) -> Void) -> Promise { self }
    func `catch`(_ body: (any Error) -> Void) {}
}
func reduce(_ state: Items, _ event: Load) -> Promise { Promise() }
let middleware = Middleware<Items, Load> { _ in }
