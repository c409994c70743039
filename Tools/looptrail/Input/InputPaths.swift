import EventFiles

/// What a command reads: the paths it was given, else standard input.
struct InputPaths: Sendable {
    let paths: [String]
    /// Nobody said so, and standard input is read.
    let isImplied: Bool
    let threads: Int
    private let standardInput: Int32

    /// - Throws: ``NothingToRead`` where no path is given and standard input is a terminal, at which nobody types events.
    init(_ invocation: Invocation) throws(NothingToRead) {
        let operands = invocation.arguments.operands
        isImplied = operands.isEmpty
        paths = isImplied ? ["-"] : operands
        threads = invocation.arguments[CommonFlags.threads] ?? EventFileReader.activeProcessors
        standardInput = invocation.surroundings.standardInput
        if isImplied && invocation.surroundings.isTerminal(standardInput) { throw NothingToRead() }
    }

    /// Finds the files.
    func reader() throws(EventFileReadError) -> EventFileReader {
        try EventFileReader(paths: paths, standardInput: standardInput)
    }
}

/// A command without input; it is answered with the few lines of ``HelpText/short(_:)``.
struct NothingToRead: Error, Sendable {}
