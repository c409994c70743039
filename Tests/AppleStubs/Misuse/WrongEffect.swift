import LoopCore

private struct Login { var name = "", isBusy = false }
private enum LoginEvent { case submit, leave, answered(String) }

private func misspelt() {
    _ = Reducer<Login, LoginEvent> { state, event in
        switch event {
        case .submit:
            state.isBuzy = true  // refused: reference to member 'isBuzy' cannot be resolved without a contextual type
            return .none
        case .leave: return .cancel("sign in")
        case .answered: return .none
        }
    }
}

private func eventForEffect() {
    _ = Feedback<Login, LoginEvent>.onChange(of: \.name) { name in
        .answered(name)  // refused: type 'Effect<LoginEvent>' has no member 'answered'
    }
}

private func workWithoutEvent() {
    _ = Feedback<Login, LoginEvent>.onChange(of: \.name) { name in
        .run { name }  // refused: cannot convert value of type 'String' to closure result type 'LoginEvent?'
    }
}
