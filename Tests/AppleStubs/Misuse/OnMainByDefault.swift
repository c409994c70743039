// with -default-isolation MainActor
import LoopCore

struct API {
    var signIn: (String) async throws -> String
}

nonisolated struct LoginState: Equatable { var name = "" }
nonisolated enum LoginEvent { case submit, answered(String) }

enum Login {
    static func reduce(state: inout LoginState, event: LoginEvent) {}

    // swift-format-ignore
    nonisolated static func signingIn(_ api: API) -> Feedback<LoginState, LoginEvent> {
        .onChange(of: \.name) { name in .run { .answered(try await api.signIn(name)) } }  // refused: non-Sendable type 'nonisolated(nonsending) (String) async throws -> String' of property 'signIn' cannot exit main actor-isolated context
    }
}

// swift-format-ignore
nonisolated func reducer() -> Reducer<LoginState, LoginEvent> { Reducer(Login.reduce) }  // refused: loses global actor 'MainActor'
