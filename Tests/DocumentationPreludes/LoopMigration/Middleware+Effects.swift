struct Model { static let start = Model() }
enum Action { case load }
struct Change { var model: Model? }
struct Feature {
    func reduce(into state: inout Model, action: Action) -> [String] { [] }
}
func update(_ model: Model, _ event: Action) -> Change { Change() }
let middleware = Middleware<Model, Action> { _ in }
