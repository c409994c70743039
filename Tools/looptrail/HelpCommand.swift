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
        try Looptrail.print(help.full(Looptrail.command(named: name)), in: invocation.surroundings)
        return .fine
    }
}
