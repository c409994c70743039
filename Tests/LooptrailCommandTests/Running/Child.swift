import Basics
import Foundation

/// Runs the command that was built, as a process of its own.
struct Child {
    enum Input {
        case nothing
        case pipe([UInt8])
        case descriptor(Int32)
    }

    enum Output {
        case collected
        /// The descriptor is not there at all.
        case closed
        case descriptor(Int32)
    }

    struct Result: Sendable {
        /// The exit status, or the negative number of the signal that killed it.
        let status: Int32
        let output: String
        let errors: String

        /// Standard error without the note on windows that are still open, which data of a few seconds always gives.
        var complaints: String {
            errors.split(separator: "\n", omittingEmptySubsequences: false).filter {
                !$0.contains(" that did not convert still have time: ")
            }
            .joined(separator: "\n")
        }
    }

    enum Failure: Error {
        case noCommand(lookedFrom: [String])
        case cannot(String, errno: Int32)
    }

    /// A UTF-8 locale, a terminal type, and nothing else that the command looks at.
    static let usualEnvironment = ["LANG": "C.UTF-8", "TERM": "xterm"]

    /// Runs `looptrail` with these arguments and waits for its end.
    ///
    /// - Parameters:
    ///   - workingFolder: where it runs.
    ///   - descriptors: its limit of open descriptors; `nil` for the usual one.
    ///   - mayTakeMore: whether it may raise that limit itself: only the soft limit is set then.
    @discardableResult
    static func looptrail(
        _ arguments: [String], input: Input = .nothing, output: Output = .collected, errors: Output = .collected,
        environment: [String: String] = [:], workingFolder: String? = nil, descriptors: Int? = nil, mayTakeMore: Bool = false
    ) throws -> Result {
        let folder = try TemporaryFolder()
        let outputPath = folder.path("stdout")
        let errorsPath = folder.path("stderr")
        var actions = SpawnActions()
        var toClose: [Int32] = []
        defer { for descriptor in toClose { close(descriptor) } }
        switch input {
        case .nothing: actions.open("/dev/null", as: 0, O_RDONLY)
        case .descriptor(let descriptor): actions.duplicate(descriptor, as: 0)
        case .pipe(let bytes):
            // All of it fits into the pipe, so nobody has to write while the child runs.
            precondition(bytes.count <= 60_000)
            let (readEnd, writeEnd) = try makePipe()
            _ = bytes.withUnsafeBytes { write(writeEnd, $0.baseAddress, $0.count) }
            close(writeEnd)
            actions.duplicate(readEnd, as: 0)
            toClose.append(readEnd)
        }
        for (target, place, path) in [(output, Int32(1), outputPath), (errors, 2, errorsPath)] {
            switch target {
            case .collected: actions.open(path, as: place, O_WRONLY | O_CREAT)
            case .closed: actions.close(place)
            case .descriptor(let descriptor): actions.duplicate(descriptor, as: place)
            }
        }
        let command = try commandPath.get()
        let limit = mayTakeMore ? "ulimit -S -n" : "ulimit -n"
        let before = [workingFolder.map { "cd '\($0)'" }, descriptors.map { "\(limit) \($0)" }].compactMap(\.self)
        let shell = before.isEmpty ? [] : ["-c", before.joined(separator: "; ") + "; exec \"$@\"", "sh", command]
        let status = try actions.run(
            before.isEmpty ? command : "/bin/sh", shell + arguments, usualEnvironment.merging(environment) { $1 })
        func text(_ path: String) -> String { String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self) }
        return Result(status: status, output: text(outputPath), errors: text(errorsPath))
    }

    /// A pipe that other children do not inherit.
    static func makePipe() throws -> (readEnd: Int32, writeEnd: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure.cannot("pipe", errno: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// The command stands in the folder of the test bundle, or in one above.
    static let commandPath: Swift.Result<String, Failure> = {
        let starts = [CommandLine.arguments[0], Bundle.main.bundlePath] + Bundle.allBundles.map(\.bundlePath)
        for start in starts {
            var folder = URL(fileURLWithPath: start).deletingLastPathComponent()
            for _ in 0..<5 {
                let path = folder.appendingPathComponent("looptrail").path
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
                    FileManager.default.isExecutableFile(atPath: path)
                {
                    return .success(path)
                }
                folder.deleteLastPathComponent()
            }
        }
        return .failure(.noCommand(lookedFrom: starts))
    }()
}

/// What a new process does with its descriptors before it begins.
private struct SpawnActions: ~Copyable {
    #if canImport(Darwin)
    private var actions: posix_spawn_file_actions_t?
    #else
    private var actions = posix_spawn_file_actions_t()
    #endif

    init() { posix_spawn_file_actions_init(&actions) }

    deinit {
        var actions = actions
        posix_spawn_file_actions_destroy(&actions)
    }

    mutating func open(_ path: String, as descriptor: Int32, _ flags: Int32) {
        posix_spawn_file_actions_addopen(&actions, descriptor, path, flags, 0o600)
    }

    mutating func duplicate(_ descriptor: Int32, as target: Int32) {
        posix_spawn_file_actions_adddup2(&actions, descriptor, target)
    }

    mutating func close(_ descriptor: Int32) { posix_spawn_file_actions_addclose(&actions, descriptor) }

    mutating func run(_ path: String, _ arguments: [String], _ environment: [String: String]) throws -> Int32 {
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var child = pid_t()
        let failed = posix_spawn(&child, path, &actions, nil, words, variables)
        guard failed == 0 else { throw Child.Failure.cannot("posix_spawn", errno: failed) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) == -1 {
            guard errno == EINTR else { throw Child.Failure.cannot("waitpid", errno: errno) }
        }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : -signal
    }
}
