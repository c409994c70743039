import TrackingPlans

/// The declaration of one command. Its parsing, its help and its error messages come from it.
///
/// A new command is one file with `extension Command { static let … }`, and its name in ``Looptrail/commands``.
struct Command: Sendable {
    /// The arguments that follow the command's name and are not flags.
    enum Operands: Sendable {
        /// Any number of event files, folders, globs and `-`. ``InputPaths`` says what is read without any.
        case inputs
        /// Nothing.
        case none
        /// One word or none.
        case optional(placeholder: String, summary: String)
        /// One or more files, but no event files. `usage` is how help writes them in a call: `OLD NEW`.
        case files(placeholder: String, usage: String, summary: String)
        /// The name of a command, or nothing.
        case commandName(summary: String)
        /// One of these words; it is required.
        case word(placeholder: String, words: [String], summary: String)
        /// A text, then as ``inputs``. ``Command/switchForText`` and ``Command/textIsOptional`` say when it is not required.
        case textAndInputs(placeholder: String, example: String, summary: String)
    }

    struct Example: Sendable {
        let purpose: String
        /// The arguments that follow `looptrail`.
        let arguments: [String]

        init(_ purpose: String, _ arguments: [String]) { (self.purpose, self.arguments) = (purpose, arguments) }

        /// The call as a shell reads it.
        var line: String { "looptrail " + arguments.map(ShellWord.quoted).joined(separator: " ") }
    }

    /// The name in a call: `funnel`, or in a group with the group's name in front: `plan check`.
    let name: String
    /// One line, without a full stop.
    let summary: String
    /// Paragraphs for the command's own help.
    let discussion: [String]
    let operands: Operands
    let flags: [FlagDeclaration]
    /// The flags that `-h` shows, at most ten. If this is empty, it shows the first of ``listedFlags``.
    var essentials: [FlagDeclaration] = []
    let examples: [Example]
    /// Whether a PATH is required: without one, the command takes neither standard input nor the folder ./events.
    var needsPath = false
    /// The end of what help says about PATH.
    var pathNote = "; - is standard input. Without any, what is piped in is read, else the folder ./events"
    /// The names of related commands, which help lists.
    var seeAlso: [String] = []
    /// The commands of a group. In a call, their words follow the group's name.
    var tasks: [Command] = []
    /// The flag that takes the place of the text in ``Operands/textAndInputs(placeholder:example:summary:)``.
    var switchForText: Flag<Bool>?
    /// Whether the text may be missing. Then the first operand is the text, unless it names something that can be read.
    var textIsOptional = false
    /// Runs the command. ``UsageError`` and ``NothingToRead`` exit with 2, ``OutputError/readerGone`` silently with 0, other errors with 1.
    let run: @Sendable (Invocation) async throws -> ExitStatus
}

extension Command {
    /// The ``pathNote`` of a command that reads its files more than once.
    static let filesOnly = ". Without any, the folder ./events is read"

    /// How many flags `-h` shows at most, so that its text fits a screen.
    static let mostEssentials = 10

    /// A command that only leads to its tasks: `plan check` is a task of `plan`.
    ///
    /// - Parameter placeholder: what help calls the word that follows the group's name.
    static func group(
        _ name: String, _ summary: String, discussion: [String], placeholder: String = "TASK", _ tasks: [Command]
    ) -> Command {
        Command(
            name: name, summary: summary, discussion: discussion,
            operands: .word(placeholder: placeholder, words: tasks.map(\.word), summary: "What to do"), flags: [],
            examples: tasks.compactMap(\.examples.first), tasks: tasks
        ) { _ in throw UsageError("\(placeholder) stands first, right behind `\(name)`") }
    }

    /// The last word of the command's name.
    var word: String { name.split(separator: " ").last.map(String.init) ?? name }

    /// The commands of this command's group, itself included. Empty if it is in no group.
    var siblings: [Command] { Looptrail.commands.first { $0.tasks.contains { $0.name == name } }?.tasks ?? [] }

    /// The flags that help, manual and completions name.
    var listedFlags: [FlagDeclaration] { flags.filter(\.isListed) }

    /// The flags that `-h` shows.
    var essentialFlags: [FlagDeclaration] { essentials.isEmpty ? Array(listedFlags.prefix(Self.mostEssentials)) : essentials }

    /// The listed flags under their headings.
    var groupedFlags: [(group: FlagDeclaration.Group, flags: [FlagDeclaration])] {
        FlagDeclaration.Group.allCases.compactMap { group in
            let flags = listedFlags.filter { $0.group == group }
            return flags.isEmpty ? nil : (group, flags)
        }
    }

    /// Whether the first operand of a call with these arguments is the text.
    func takesText(_ arguments: Arguments) -> Bool {
        if textIsOptional { return arguments.operands.first.map { !InputPaths.isPath($0) } ?? false }
        return switchForText.map { !arguments[$0] } ?? true
    }
}

/// One call of a command: its arguments, and the process that it runs in.
struct Invocation: Sendable {
    let command: Command
    let arguments: Arguments
    var surroundings: Surroundings
    let console: Console
    /// The tracking plan of `--plan`.
    var plan: TrackingPlan?

    /// The operands that name what the command reads.
    var inputs: [String] {
        switch command.operands {
        case .inputs: arguments.operands
        case .textAndInputs: command.takesText(arguments) ? Array(arguments.operands.dropFirst()) : arguments.operands
        case .none, .files, .optional, .commandName, .word: []
        }
    }
}
