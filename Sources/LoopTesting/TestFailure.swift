/// What a test double found wrong, and where in the test.
///
/// `LoopTesting` imports no testing library: the answer of `canImport(Testing)` depends on the build's search path, and where it is true,
/// every product that links this module would link a testing library. A ``FailureRecorder`` is handed in instead.
public struct TestFailure: Error, Sendable, CustomStringConvertible {
    var message = ""
    public let fileID: StaticString
    public let filePath: StaticString
    /// From 1.
    public let line: UInt
    /// From 1.
    public let column: UInt

    /// What went wrong and what to do about it; several lines where states are compared.
    public var description: String { message }
}

/// Where the failures of a test double go.
///
/// For Swift Testing, once in a test target:
/// ```swift
/// extension FailureRecorder {
///     static let testing = FailureRecorder { failure in
///         Issue.record(
///             "\(failure)",
///             sourceLocation: SourceLocation(
///                 fileID: "\(failure.fileID)", filePath: "\(failure.filePath)", line: Int(failure.line),
///                 column: Int(failure.column)))
///     }
/// }
/// let test = TestSystem(System(initialState: Shop.State(), reducer: Shop.reduce), onFailure: .testing)
/// ```
/// For XCTest: `FailureRecorder { XCTFail("\($0)", file: $0.filePath, line: $0.line) }`.
public struct FailureRecorder: Sendable {
    let record: @Sendable (TestFailure) -> Void

    /// - Parameter record: called once for each failure; the test goes on after it.
    public init(_ record: @escaping @Sendable (TestFailure) -> Void) { self.record = record }

    /// - Parameter place: a failure without a message, of the line that failed.
    func fail(_ message: String, at place: TestFailure) {
        var failure = place
        failure.message = message
        record(failure)
    }

    /// Ends the program with the message, its file and line. It is the default, because it fails a test under every testing library.
    @usableFromInline package static let stopping = FailureRecorder { failure in
        fatalError("\(failure.message)\nat \(failure.filePath):\(failure.line)", file: failure.filePath, line: failure.line)
    }
}
