import Funnels

/// The flags of `help`.
enum ManualFlags {
    static let manual = Flag("man", "The manual page in roff instead, of all commands or of one")
}

extension Command {
    static let help = Command(
        name: "help",
        summary: "describe the commands, or one of them in full",
        discussion: [],
        operands: .commandName(summary: "The command to describe"),
        flags: [ManualFlags.manual.declaration],
        examples: [
            Example("which steps, windows and keys a funnel can have", ["help", "funnel"]),
            Example("one of the things that `plan` does", ["help", "plan", "infer"]),
            Example("the manual page, to be read or installed: looptrail help --man | man -l -", ["help", "--man"]),
        ]
    ) { invocation in
        if invocation.arguments[ManualFlags.manual] {
            let one = try invocation.arguments.operands.first.map { name throws(UsageError) in try Looptrail.command(named: name) }
            try Looptrail.print(ManualPage(commands: Looptrail.commands).text(of: one), in: invocation.surroundings)
            return .fine
        }
        let help = HelpText(width: invocation.surroundings.columns(of: invocation.surroundings.standardOutput))
        guard let name = invocation.arguments.operands.first else {
            try Looptrail.print(help.overview(of: Looptrail.commands), in: invocation.surroundings)
            return .fine
        }
        let command = try Looptrail.command(named: name)
        let page = try Command.task(invocation.arguments.operands.dropFirst().first, of: command).map { help.full($0, of: command) }
        try Looptrail.print(page ?? help.full(command), in: invocation.surroundings)
        return .fine
    }
}

extension Command {
    /// What the command does under a name; `nil` without a name.
    fileprivate static func task(_ name: String?, of command: Command) throws(UsageError) -> CommandTask? {
        guard let name else { return nil }
        if let task = command.tasks.first(where: { $0.name == name }) { return task }
        if command.tasks.isEmpty { throw UsageError("`\(name)` is one argument too many: `looptrail help \(command.name)` says all") }
        let nearest = NearestName.find(name, in: command.tasks.map(\.name)).map { "; did you mean `\($0)`?" } ?? ""
        throw UsageError("`looptrail \(command.name)` has no \(command.operands.placeholder) `\(name)`\(nearest)")
    }
}
