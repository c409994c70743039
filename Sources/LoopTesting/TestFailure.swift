/// What a test double found wrong, and where in the test.
///
/// `LoopTesting` imports no testing library: in a library target `canImport(Testing)` answers by what happens to lie on the
/// search path of that build, and where it says yes, every product that links this module would link a testing library. So
/// the way out is handed in as a ``FailureRecorder``.
public struct TestFailure: Error, Sendable, CustomStringConvertible {
    /// What went wrong and what to do about it; several lines where states are compared.
    public let message: String
    public let fileID: StaticString
    public let filePath: StaticString
    /// From 1.
    public let line: UInt
    /// From 1.
    public let column: UInt

    public init(
        _ message: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        self.message = message
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }

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
/// let test = TestSystem(initialState: Shop.State(), onFailure: .testing, reducer: Shop.reduce)
/// ```
/// For XCTest: `FailureRecorder { XCTFail("\($0)", file: $0.filePath, line: $0.line) }`.
public struct FailureRecorder: Sendable {
    private let body: @Sendable (TestFailure) -> Void

    /// - Parameter record: called once for each failure; the test goes on after it.
    public init(_ record: @escaping @Sendable (TestFailure) -> Void) { body = record }

    /// Tells a failure.
    public func record(_ failure: TestFailure) { body(failure) }

    /// Ends the program with the message and its place. The default, because it fails a test under every testing library and
    /// cannot be overlooked.
    public static let stopping = FailureRecorder { failure in
        fatalError("\(failure.message)\nat \(failure.filePath):\(failure.line)", file: failure.filePath, line: failure.line)
    }
}
