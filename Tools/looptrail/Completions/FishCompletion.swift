/// Completion for fish, 3.0 and later.
struct FishCompletion {
    let commands: [Command]

    var script: String {
        var lines = ["# fish completion for looptrail; made by `looptrail completions fish`", "complete -c looptrail -f"]
        lines += [
            "# Whether the words behind looptrail begin with these.", "function __looptrail_is", "    set -l words (commandline -opc)",
            "    set -l last (math 1 + (count $argv))", "    test \"$words[2..$last]\" = \"$argv\"", "end",
            "# Whether they are these and no others, apart from flags.", "function __looptrail_ends",
            "    set -l words (string match -v -- '-*' (commandline -opc))", "    test \"$words[2..-1]\" = \"$argv\"", "end",
        ]
        lines.append("complete -c looptrail -n __fish_use_subcommand -s h -l help -d 'Show help'")
        lines.append("complete -c looptrail -n __fish_use_subcommand -l version -d 'Show the version'")
        for command in commands {
            lines.append("complete -c looptrail -n __fish_use_subcommand -a \(command.name) -d \(quoted(command.summary))")
        }
        for command in commands.flatMap({ [$0] + $0.tasks }) {
            let head = "complete -c looptrail -n '__looptrail_is \(command.name)'"
            lines.append(operand(of: command, head))
            for flag in command.listedFlags {
                let names = (flag.short.map { " -s \($0)" } ?? "") + " -l \(flag.name)"
                lines.append(head + names + (flag.value.map { value($0.completed) } ?? "") + " -d \(quoted(flag.summary))")
            }
            lines.append(head + " -s h -l help -d 'Show this help'")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func operand(of command: Command, _ head: String) -> String {
        if command.operands.hasFilesBehindFirst { return head + " -F" }
        return switch command.operands.completedFirst(commands: commands) {
        // There is one such word: behind it, no other is offered.
        case .words(let words):
            "complete -c looptrail -n '__looptrail_ends \(command.name)' -a \(quoted(words.joined(separator: " ")))"
        case .files: head + " -F"
        case .folders: head + " -a '(__fish_complete_directories)'"
        case .free: head
        }
    }

    private func value(_ value: CompletedValue) -> String {
        switch value {
        case .words(let words): " -x -a \(quoted(words.joined(separator: " ")))"
        case .files: " -r -F"
        case .folders: " -x -a '(__fish_complete_directories)'"
        case .free: " -x"
        }
    }

    private func quoted(_ text: String) -> String {
        "'" + text.reduce(into: "") { $0 += $1 == "'" || $1 == "\\" ? "\\\($1)" : String($1) } + "'"
    }
}
