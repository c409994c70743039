/// The flags of `help`.
enum ManualFlags { static let manual = Flag("man", in: .output, "The manual page in roff instead, of all commands or of one") }

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
        let words = invocation.arguments.operands
        var command = try words.first.map { name throws(UsageError) in try Looptrail.command(named: name) }
        if let group = command, let task = words.dropFirst().first { command = try Looptrail.task(task, of: group) }
        if invocation.arguments[ManualFlags.manual] {
            try Looptrail.print(ManualPage(commands: Looptrail.everyCommand).text(of: command), in: invocation.surroundings)
            return .fine
        }
        let help = HelpText(width: invocation.surroundings.columns(of: invocation.surroundings.standardOutput))
        try Looptrail.print(command.map(help.full) ?? help.overview(of: Looptrail.commands), in: invocation.surroundings)
        return .fine
    }
}
