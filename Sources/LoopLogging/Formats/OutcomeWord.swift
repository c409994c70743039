import LoopCore

/// How an event ended, as JSON lines and recordings spell it.
enum OutcomeWord: String {
    case finished, failed, cancelled
}

extension Outcome {
    var word: OutcomeWord {
        switch self {
        case .finished: .finished
        case .failed: .failed
        case .cancelled: .cancelled
        }
    }
}
