import TrackingPlans

/// One command, declared: from this value come its parsing, its help and its error messages.
///
/// A new command is one file with `extension Command { static let … }`, and its name in ``Looptrail/commands``.
struct Command: Sendable {
    /// What stands between the command's name and the end besides flags.
    enum Operands: Sendable {
        /// Any number of event files, folders, globs and `-`; none means standard input.
        case inputs
        /// Nothing.
        case none
        /// One word or none.
        case optional(placeholder: String, summary: String)
        /// One or more files that hold no events.
        case files(placeholder: String, summary: String)
        /// The name of a command, or nothing.
        case commandName(summary: String)
        /// One of a few words, which is needed.
        case word(placeholder: String, words: [String], summary: String)
        /// One of a few words, which is needed, and then as ``inputs``.
        case wordAndInputs(placeholder: String, words: [String], summary: String)
        /// A text that is needed, and then as ``inputs``.
        case textAndInputs(placeholder: String, example: String, summary: String)
    }

    struct Example: Sendable {
        let purpose: String
        /// What follows `looptrail`, each argument for itself.
        let arguments: [String]

        init(_ purpose: String, _ arguments: [String]) {
            self.purpose = purpose
            self.arguments = arguments
        }
    }

    let name: String
    /// One line, without a full stop.
    let summary: String
    /// Paragraphs for the command's own help.
    let discussion: [String]
    let operands: Operands
    let flags: [FlagDeclaration]
    let examples: [Example]
    /// What the first operand can be, where each is described for itself: `looptrail help plan infer`.
    var tasks: [CommandTask] = []
    /// The switch that stands in place of the first operand, where that is a text.
    var switchForText: Flag<Bool>?
    /// Runs the command. An error it throws is printed to standard error: a ``UsageError`` exits with 2, any other with 1.
    let run: @Sendable (Invocation) async throws -> ExitStatus
}

extension Command {
    /// Whether the first operand of such a call is a text.
    func takesText(_ arguments: Arguments) -> Bool { switchForText.map { !arguments[$0] } ?? true }
}

/// One call of a command: what was asked, and the world it was asked in.
struct Invocation: Sendable {
    let command: Command
    let arguments: Arguments
    let surroundings: Surroundings
    let console: Console
    /// That of `--plan`.
    var plan: TrackingPlan?

    /// The operands that say what is read.
    var inputs: [String] {
        switch command.operands {
        case .inputs: arguments.operands
        case .wordAndInputs: Array(arguments.operands.dropFirst())
        case .textAndInputs: command.takesText(arguments) ? Array(arguments.operands.dropFirst()) : arguments.operands
        case .none, .files, .optional, .commandName, .word: []
        }
    }
}
