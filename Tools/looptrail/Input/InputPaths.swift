import EventFiles
import Funnels

/// What a command reads: the paths it was given, else what is piped in, else the folder `./events`.
struct InputPaths: Sendable {
    /// What is read where nothing is named and nothing piped in.
    static let standardFolder = "./events"

    let paths: [String]
    /// Nobody said so, and standard input is read.
    let isImplied: Bool
    let threads: Int
    private let standardInput: Int32
    private let invocation: Invocation

    /// - Throws: ``NothingToRead`` where no path is given, standard input is a terminal, at which nobody types events, and there is no folder.
    init(_ invocation: Invocation) throws(NothingToRead) { try self.init(invocation, operands: invocation.inputs) }

    /// - Parameter operands: those that say what is read.
    init(_ invocation: Invocation, operands: [String]) throws(NothingToRead) {
        self.invocation = invocation
        let named = operands.isEmpty ? Self.standard(invocation) : operands
        isImplied = named.isEmpty
        paths = isImplied ? ["-"] : named
        threads = invocation.arguments[CommonFlags.threads] ?? EventFileReader.activeProcessors
        standardInput = invocation.surroundings.standardInput
        if isImplied && invocation.surroundings.isTerminal(standardInput) { throw NothingToRead() }
    }

    /// Whether an operand is standard input, names something that is there, or is a glob that something fits.
    static func isPath(_ operand: String) -> Bool {
        if operand == "-" || FileIdentity(operand) != nil || OutputFolder.isThere(operand) { return true }
        return operand.contains { "*?[".contains($0) } && (try? EventFileReader(paths: [operand])) != nil
    }

    /// The folder that is read without being named, of which a note is printed; empty where there is none, or something is piped in.
    static func standard(_ invocation: Invocation) -> [String] {
        if invocation.surroundings.isPipedInto || !OutputFolder.isThere(standardFolder) { return [] }
        invocation.console.note("no PATH was given: reading `\(standardFolder)`")
        return [standardFolder]
    }

    /// Finds the files and has them read, with progress where it is wanted.
    func read<Outcome>(_ body: (EventFileReader, ((ReadProgress) -> Void)?) throws -> Outcome) throws -> Outcome {
        var reader = try reader()
        reader.validatesLines = invocation.arguments[CommonFlags.strict]
        reader.usesSummaries = !invocation.arguments[CommonFlags.noIndex]
        guard let line = ProgressLine(invocation, files: reader.files) else { return try body(reader, nil) }
        // Whatever comes next stands on a line of its own.
        defer { line.end() }
        return try body(reader) { line.show($0) }
    }

    /// Reads everything once for a question.
    func answer<Answer>(_ question: some EventQuestion<Answer>) throws -> (answer: Answer, reading: ReadResult) {
        try read { reader, progress in try question.answer(reading: reader, threads: threads, progress: progress) }
    }

    /// Whether nothing is standard input or a pipe: these are empty when they are read again.
    func canBeReadAgain() throws -> Bool { try reader().files.allSatisfy { $0.bytes != nil } }

    /// The files, none of which is written over.
    func reader() throws -> EventFileReader {
        let reader = try EventFileReader(paths: paths, standardInput: standardInput)
        try invocation.refuseOutput(among: reader.files.map(\.path), standardInput: paths.contains("-") ? standardInput : nil)
        return reader
    }
}

/// A command without input; it is answered with the few lines of ``HelpText/short(_:)``.
struct NothingToRead: Error, Sendable {}
