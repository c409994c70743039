/// A shell that completes words; each has its script in a file of its own.
enum Shell: String, CaseIterable {
    case bash
    case zsh
    case fish

    /// The script that completes these commands, their flags and the flags' values.
    func script(for commands: [Command]) -> String {
        let commands = commands.map { $0.asGroup(of: commands) }
        return switch self {
        case .bash: BashCompletion(commands: commands).script
        case .zsh: ZshCompletion(commands: commands).script
        case .fish: FishCompletion(commands: commands).script
        }
    }
}

extension Command {
    /// `help` as a group whose tasks are the commands that it describes: behind a group's name, it takes one of its tasks.
    fileprivate func asGroup(of commands: [Command]) -> Command {
        guard case .commandName = operands else { return self }
        var group = self
        group.tasks = commands.map { command in
            Command(
                name: "\(name) \(command.name)", summary: command.summary, discussion: [],
                operands: command.tasks.isEmpty ? .none : command.operands, flags: flags, examples: [], run: run)
        }
        return group
    }
}

/// What a shell can offer for a word of the command line.
enum CompletedValue {
    case words([String])
    case files
    case folders
    /// Nothing: any text may stand there.
    case free
}

extension FlagDeclaration.Value {
    var completed: CompletedValue { isFile ? .files : allowed.isEmpty ? .free : .words(allowed) }
}

extension Command.Operands {
    /// Whether files follow a first operand of another kind.
    var hasFilesBehindFirst: Bool {
        switch self {
        case .textAndInputs: true
        case .none, .inputs, .files, .optional, .commandName, .word: false
        }
    }

    /// What a shell can offer for the first operand.
    func completedFirst(commands: [Command]) -> CompletedValue {
        switch self {
        case .none: .free
        case .inputs, .files: .files
        case .optional: .folders
        case .commandName: .words(commands.map(\.name))
        case .word(_, let words, _): .words(words)
        // The text of `plan docs` is a plan's name.
        case .textAndInputs(let placeholder, _, _): placeholder == "FILE" ? .files : .free
        }
    }
}
