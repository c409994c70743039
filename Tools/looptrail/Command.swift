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
        /// One or more files that hold no events; `usage` is how they stand in a call: `OLD NEW`.
        case files(placeholder: String, usage: String, summary: String)
        /// The name of a command, or nothing.
        case commandName(summary: String)
        /// One of a few words, which is needed.
        case word(placeholder: String, words: [String], summary: String)
        /// A text that is needed, and then as ``inputs``.
        case textAndInputs(placeholder: String, example: String, summary: String)
    }

    struct Example: Sendable {
        let purpose: String
        /// What follows `looptrail`, each argument for itself.
        let arguments: [String]

        init(_ purpose: String, _ arguments: [String]) { (self.purpose, self.arguments) = (purpose, arguments) }

        /// The call as a shell reads it.
        var line: String { "looptrail " + arguments.map(ShellWord.quoted).joined(separator: " ") }
    }

    /// As it is called: `funnel`, or with that of its group in front: `plan check`.
    let name: String
    /// One line, without a full stop.
    let summary: String
    /// Paragraphs for the command's own help.
    let discussion: [String]
    let operands: Operands
    let flags: [FlagDeclaration]
    /// The flags that `-h` shows, at most ten; the first of all where there are none here.
    var essentials: [FlagDeclaration] = []
    let examples: [Example]
    /// Whether nothing is read, or changed, but files that are named.
    var needsPath = false
    /// What help says of a PATH besides.
    var pathNote = "; - is standard input. Without any, what is piped in is read, else the folder ./events"
    /// Commands to know of for who reads this one's help: their names.
    var seeAlso: [String] = []
    /// The commands of a group, whose words follow its name.
    var tasks: [Command] = []
    /// The switch that stands in place of the first operand, where that is a text.
    var switchForText: Flag<Bool>?
    /// Whether the text may be missing: the first operand is one unless something of that name can be read.
    var textIsOptional = false
    /// Runs the command. An error it throws is printed to standard error: a ``UsageError`` exits with 2, any other with 1.
    let run: @Sendable (Invocation) async throws -> ExitStatus
}

extension Command {
    /// The ``pathNote`` of a command that reads its files more than once.
    static let filesOnly = ". Without any, the folder ./events is read"

    /// How many flags fit into a screen.
    static let mostEssentials = 10

    /// A command that only leads to others: `plan check` is one of `plan`.
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

    /// The last word of its name.
    var word: String { name.split(separator: " ").last.map(String.init) ?? name }

    /// The commands of its group, this one included.
    var siblings: [Command] { Looptrail.commands.first { $0.tasks.contains { $0.name == name } }?.tasks ?? [] }

    /// The flags that help, manual and completions name.
    var listedFlags: [FlagDeclaration] { flags.filter(\.isListed) }

    /// Those that `-h` shows.
    var essentialFlags: [FlagDeclaration] { essentials.isEmpty ? Array(listedFlags.prefix(Self.mostEssentials)) : essentials }

    /// The listed flags under their headings.
    var groupedFlags: [(group: FlagDeclaration.Group, flags: [FlagDeclaration])] {
        FlagDeclaration.Group.allCases.compactMap { group in
            let flags = listedFlags.filter { $0.group == group }
            return flags.isEmpty ? nil : (group, flags)
        }
    }

    /// Whether the first operand of such a call is a text.
    func takesText(_ arguments: Arguments) -> Bool {
        if textIsOptional { return arguments.operands.first.map { !InputPaths.isPath($0) } ?? false }
        return switchForText.map { !arguments[$0] } ?? true
    }
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
        case .textAndInputs: command.takesText(arguments) ? Array(arguments.operands.dropFirst()) : arguments.operands
        case .none, .files, .optional, .commandName, .word: []
        }
    }
}
