import LoopCore

private struct Login { var name = "", isBusy = false }
private enum LoginEvent { case submit, leave, answered(String) }

private func signIn(_ name: String) async throws -> String { name }

private func forgotten() {
    _ = Reducer<Login, LoginEvent> { state, event in
        switch event {
        case .submit: state.isBusy = true
        case .leave: return .cancel("sign in")
        case .answered: return .none
        }
    }  // refused: missing return in closure expected to return 'Effect<LoginEvent>'
}

private func captured() {
    _ = Reducer<Login, LoginEvent> { state, event in
        guard case .submit = event else { return .none }
        return .run { .answered(try await signIn(state.name)) }  // refused: escaping closure captures 'inout' parameter 'state'
    }
}
