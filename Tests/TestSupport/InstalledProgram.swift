public import Foundation

/// A program of this machine that some tests run, such as a shell.
///
/// Where it is not installed, these tests are skipped. In CI (`CI=true`) they run all the same and fail, because ``required()`` throws.
public struct InstalledProgram: Sendable {
    public let name: String
    /// Where it is; `nil` if it is not installed.
    public let path: String?

    public init(_ name: String) {
        self.name = name
        path = ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(name)" }
            .first(where: FileManager.default.isExecutableFile(atPath:))
    }

    /// For `.enabled(if:)`: whether a test that needs the program runs.
    public var isExpected: Bool { path != nil || isCI }

    /// - Throws: ``Missing`` without the program.
    public func required() throws -> URL {
        guard let path else { throw Missing(name: name) }
        return URL(fileURLWithPath: path)
    }

    public struct Missing: Error, CustomStringConvertible {
        let name: String
        public var description: String { "\(name) is not installed" }
    }
}

/// Whether this is CI, where a test whose program or file is missing fails instead of being skipped.
public let isCI = ProcessInfo.processInfo.environment["CI"] == "true"
