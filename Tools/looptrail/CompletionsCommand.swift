extension Command {
    static let completions = Command(
        name: "completions",
        summary: "print a script that completes looptrail's commands and flags in a shell",
        discussion: [
            "bash: put `source <(looptrail completions bash)` into ~/.bashrc. zsh: write the script to a file _looptrail in a folder "
                + "of $fpath. fish: write it to looptrail.fish in ~/.config/fish/completions."
        ],
        operands: .word(placeholder: "SHELL", words: Shell.allCases.map(\.rawValue), summary: "The shell to complete in"),
        flags: [],
        examples: [
            Example("for this bash", ["completions", "bash"]),
            Example("for fish", ["completions", "fish"]),
        ]
    ) { invocation in
        guard let shell = invocation.arguments.operands.first.flatMap(Shell.init) else { throw UsageError("SHELL is needed") }
        try Looptrail.print(shell.script(for: Looptrail.commands), in: invocation.surroundings)
        return .fine
    }
}
