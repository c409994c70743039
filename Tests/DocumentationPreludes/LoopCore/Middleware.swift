struct AppState { static let start = AppState() }
enum AppEvent { case tick }
enum App {
    static func reduce(state: inout AppState, event: AppEvent) {}
}
