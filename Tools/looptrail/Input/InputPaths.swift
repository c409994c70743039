import EventFiles

/// What a command reads: the paths it was given, else standard input.
struct InputPaths: Sendable {
    let paths: [String]
    /// Nobody said so, and standard input is read.
    let isImplied: Bool
    let threads: Int
    private let standardInput: Int32
    private let invocation: Invocation

    /// - Throws: ``NothingToRead`` where no path is given and standard input is a terminal, at which nobody types events.
    init(_ invocation: Invocation) throws(NothingToRead) { try self.init(invocation, operands: invocation.inputs) }

    /// - Parameter operands: those that say what is read.
    init(_ invocation: Invocation, operands: [String]) throws(NothingToRead) {
        self.invocation = invocation
        isImplied = operands.isEmpty
        paths = isImplied ? ["-"] : operands
        threads = invocation.arguments[CommonFlags.threads] ?? EventFileReader.activeProcessors
        standardInput = invocation.surroundings.standardInput
        if isImplied && invocation.surroundings.isTerminal(standardInput) { throw NothingToRead() }
    }

    /// Finds the files and has them read, with progress where it is wanted.
    func read<Outcome>(_ body: (EventFileReader, ((ReadProgress) -> Void)?) throws -> Outcome) throws -> Outcome {
        var reader = try EventFileReader(paths: paths, standardInput: standardInput)
        reader.validatesLines = invocation.arguments[CommonFlags.strict]
        try invocation.refuseOutput(among: reader.files.map(\.path))
        try refuseOutputOverStandardInput()
        reader.usesSummaries = !invocation.arguments[CommonFlags.noIndex]
        guard let line = ProgressLine(invocation, files: reader.files) else { return try body(reader, nil) }
        // Whatever comes next stands on a line of its own.
        defer { line.end() }
        return try body(reader) { line.show($0) }
    }

    private func refuseOutputOverStandardInput() throws(UsageError) {
        guard let output = invocation.arguments[CommonFlags.output], paths.contains("-"), let place = FileIdentity(output),
            FileIdentity(descriptor: standardInput) == place
        else { return }
        throw UsageError("-o `\(output)` is the standard input: writing it would destroy what is read; choose another name")
    }
}

/// A command without input; it is answered with the few lines of ``HelpText/short(_:)``.
struct NothingToRead: Error, Sendable {}
