import Foundation
import TestSupport
import Testing

/// This test program once more, as a process of its own that runs one suite.
///
/// `@unchecked Sendable`: one test has it, and waits wherever it lets another thread read.
final class ChildProcess: @unchecked Sendable {
    let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    /// All output that was read so far.
    private(set) var text = ""
    private var isAtEnd = false

    /// - Parameter environment: tells the suite that it is the child.
    init(running suite: String, environment: [String: String]) throws {
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["--testing-library", "swift-testing", "--filter", suite]
        process.environment = ProcessInfo.processInfo.environment.merging(environment, uniquingKeysWith: { $1 })
        process.standardOutput = output
        process.standardInput = input
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Reads what the child says up to a line; `false` if it ended before.
    func waitFor(line: String) async -> Bool {
        await onThread { [self] in
            while true {
                if text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().contains(Substring(line)) { return true }
                if isAtEnd { return false }
                read()
            }
        }
    }

    /// Gives the child a line to read.
    func goOn() throws { try input.fileHandleForWriting.write(contentsOf: Data("go on\n".utf8)) }

    /// Kills it and waits until the system has let go of its files.
    ///
    /// `Process.waitUntilExit` would wait for the process's own children too: they inherit what it listens to.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        var information = siginfo_t()
        while waitid(P_PID, id_t(process.processIdentifier), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    }

    /// Waits until nobody can say anything any more: the child is gone, and its children too.
    func waitForSilence() async {
        await onThread { [self] in
            while !isAtEnd { read() }
        }
    }

    private func read() {
        let bytes = output.fileHandleForReading.availableData
        isAtEnd = bytes.isEmpty
        text += String(decoding: bytes, as: UTF8.self)
    }

    /// Says a line to the parent.
    static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
