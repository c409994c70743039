import Funnels

extension Command {
    static let help = Command(
        name: "help",
        summary: "tell about the commands, or all about one",
        discussion: [],
        operands: .optional(placeholder: "COMMAND", summary: "The command to tell about"),
        flags: [],
        examples: [Example("which steps, windows and keys a funnel can have", ["help", "funnel"])]
    ) { invocation in
        let help = HelpText(width: invocation.surroundings.columns(of: invocation.surroundings.standardOutput))
        guard let name = invocation.arguments.operands.first else {
            try Looptrail.print(help.overview(of: Looptrail.commands), in: invocation.surroundings)
            return .fine
        }
        try Looptrail.print(help.full(Looptrail.command(named: name)), in: invocation.surroundings)
        return .fine
    }
}
