import Basics
import EventFiles
import Funnels

/// What a command reads: the paths it was given, else what is piped in, else the folder `./events`.
struct InputPaths: Sendable {
    /// The folder that is read if the call has no path and nothing is piped in.
    static let standardFolder = "./events"

    let paths: [String]
    /// Whether standard input is read although the call does not say so.
    let isImplied: Bool
    let threads: Int
    private let standardInput: Int32
    private let invocation: Invocation
    /// Whether links to folders were told: a command may read more than once.
    private let areLinksTold = Lock(false)

    /// - Throws: ``NothingToRead`` if the call has no path, there is no standard folder, and standard input is a terminal.
    init(_ invocation: Invocation) throws(NothingToRead) { try self.init(invocation, operands: invocation.inputs) }

    /// - Parameter operands: the operands that name what to read.
    init(_ invocation: Invocation, operands: [String]) throws(NothingToRead) {
        self.invocation = invocation
        let named = operands.isEmpty ? Self.standard(invocation) : operands
        isImplied = named.isEmpty
        paths = isImplied ? ["-"] : named
        threads = invocation.arguments[CommonFlags.threads] ?? EventFileReader.activeProcessors
        standardInput = invocation.surroundings.standardInput
        if isImplied && invocation.surroundings.isTerminal(standardInput) { throw NothingToRead() }
    }

    /// Whether an operand is `-`, names an ordinary file or a folder that exists, or is a glob that matches something.
    static func isPath(_ operand: String) -> Bool {
        if operand == "-" || FileIdentity(operand) != nil || OutputFolder.isThere(operand) { return true }
        return operand.contains { "*?[".contains($0) } && (try? EventFileReader(paths: [operand])) != nil
    }

    /// The standard folder, with a note that it is read. Empty if there is no such folder, or if something is piped in.
    static func standard(_ invocation: Invocation) -> [String] {
        if invocation.surroundings.isPipedInto || !OutputFolder.isThere(standardFolder) { return [] }
        invocation.console.note("no PATH was given: reading `\(standardFolder)`")
        return [standardFolder]
    }

    /// Finds the files and lets `body` read them, with a progress line if the call shows one.
    func read<Outcome>(_ body: (EventFileReader, ((ReadProgress) -> Void)?) throws -> Outcome) throws -> Outcome {
        var reader = try reader()
        reader.validatesLines = invocation.arguments[CommonFlags.strict]
        reader.usesSummaries = !invocation.arguments[CommonFlags.noIndex]
        return try ProgressLine.during(invocation, files: reader.files) { try body(reader, $0) }
    }

    /// Reads everything once for a question.
    func answer<Answer>(_ question: some EventQuestion<Answer>) throws -> (answer: Answer, reading: ReadResult) {
        try read { reader, progress in try question.answer(reading: reader, threads: threads, progress: progress) }
    }

    /// Whether the input can be read more than once. Standard input and pipes are empty the second time.
    func canBeReadAgain() throws -> Bool { try reader().files.allSatisfy { $0.bytes != nil } }

    /// Says that standard input was empty, if it is all there was to read; `nil` if not.
    ///
    /// - Parameter bytes: how many were read.
    func emptiness(_ bytes: Int64) -> String? {
        guard paths == ["-"], bytes == 0 else { return nil }
        return "standard input was empty" + (isImplied ? " and no PATH was given" : "")
    }

    /// Whether there was nothing to check. Says so: nothing is proved then.
    ///
    /// - Parameter bytes: how many were read.
    func isNothing(_ bytes: Int64) -> Bool {
        guard let reason = emptiness(bytes) else { return false }
        invocation.console.error("\(reason): nothing was checked")
        return true
    }

    /// The reader of the files, with a warning of links that it does not follow. Throws if the command's output would overwrite one of them.
    func reader() throws -> EventFileReader {
        let reader = try EventFileReader(paths: paths, standardInput: standardInput)
        try invocation.refuseOutput(among: reader.files.map(\.path), standardInput: paths.contains("-") ? standardInput : nil)
        let wereTold = areLinksTold.withLock { areTold in
            defer { areTold = true }
            return areTold
        }
        if !wereTold { invocation.warn(ofLinkedFolders: reader) }
        return reader
    }
}

/// A command has no input. ``Looptrail`` answers with the few lines of ``HelpText/short(_:)``.
struct NothingToRead: Error, Sendable {}
