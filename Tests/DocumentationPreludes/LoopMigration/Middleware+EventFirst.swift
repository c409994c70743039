protocol Action {}
struct AppState {}
typealias Dispatch = (any Action) -> Void
final class Store {
    init(
        reducer: @escaping (any Action, AppState?) -> AppState, state: AppState?,
        middleware: [(@escaping Dispatch, @escaping () -> AppState?) -> (@escaping Dispatch) -> Dispatch] = []
    ) {}
}
func appReducer(_ action: any Action, _ state: AppState?) -> AppState { state ?? AppState() }
let middleware = Middleware<AppState, any Action> { _ in }
