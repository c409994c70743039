import LoopTesting
import Testing

extension FailureRecorder {
    /// As the documentation of ``FailureRecorder`` gives it.
    static let testing = FailureRecorder { failure in
        Issue.record(
            "\(failure)",
            sourceLocation: SourceLocation(
                fileID: "\(failure.fileID)", filePath: "\(failure.filePath)", line: Int(failure.line),
                column: Int(failure.column)))
    }
}

/// Keeps what a test double found wrong.
final class FailureLog: @unchecked Sendable {
    // Unchecked, because the doubles that use it stay on the main actor.
    private(set) var failures: [TestFailure] = []

    var recorder: FailureRecorder { FailureRecorder { self.failures.append($0) } }

    var messages: [String] { failures.map(\.description) }
}
