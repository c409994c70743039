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

    /// Runs the program to its end.
    ///
    /// - Parameter input: what it reads from its standard input.
    /// - Throws: ``Missing`` without the program.
    public func run(_ arguments: [String], input: String = "") throws -> (status: Int32, output: String, errors: String) {
        let process = Process()
        process.executableURL = try required()
        process.arguments = arguments
        // One pipe only: of two, the program could fill the one that nobody reads yet, and would wait for ever.
        let folder = URL(fileURLWithPath: testFolders + "looptrail-program-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (read, errors, output) = (folder.appending(path: "input"), folder.appending(path: "errors"), Pipe())
        try Data(input.utf8).write(to: read)
        try Data().write(to: errors)
        process.standardInput = try FileHandle(forReadingFrom: read)
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let written = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let complaints = try Data(contentsOf: errors)
        return (process.terminationStatus, String(decoding: written, as: UTF8.self), String(decoding: complaints, as: UTF8.self))
    }

    public struct Missing: Error, CustomStringConvertible {
        let name: String
        public var description: String { "\(name) is not installed" }
    }
}

/// Whether this is CI, where a test whose program or file is missing fails instead of being skipped.
public let isCI = ProcessInfo.processInfo.environment["CI"] == "true"
