/// Completion for fish, 3.0 and later.
struct FishCompletion {
    let commands: [Command]

    var script: String {
        var lines = ["# fish completion for looptrail; made by `looptrail completions fish`", "complete -c looptrail -f"]
        lines += [
            "# Whether the words behind looptrail begin like that.", "function __looptrail_is", "    set -l words (commandline -opc)",
            "    set -l last (math 1 + (count $argv))", "    test \"$words[2..$last]\" = \"$argv\"", "end",
        ]
        lines.append("complete -c looptrail -n __fish_use_subcommand -s h -l help -d 'Show help'")
        lines.append("complete -c looptrail -n __fish_use_subcommand -l version -d 'Show the version'")
        for command in commands {
            lines.append("complete -c looptrail -n __fish_use_subcommand -a \(command.name) -d \(quoted(command.summary))")
        }
        for command in commands.flatMap({ [$0] + $0.tasks }) {
            let head = "complete -c looptrail -n '__looptrail_is \(command.name)'"
            lines.append(head + operand(command.operands.completedFirst(commands: commands), of: command))
            for flag in command.listedFlags {
                let names = (flag.short.map { " -s \($0)" } ?? "") + " -l \(flag.name)"
                lines.append(head + names + (flag.value.map { value($0.completed) } ?? "") + " -d \(quoted(flag.summary))")
            }
            lines.append(head + " -s h -l help -d 'Show this help'")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func operand(_ value: CompletedValue, of command: Command) -> String {
        if case .textAndInputs = command.operands { return " -F" }
        let files = command.operands.hasFilesBehindFirst ? " -F" : ""
        return switch value {
        case .words(let words): "\(files) -a \(quoted(words.joined(separator: " ")))"
        case .files: " -F"
        case .folders: " -a '(__fish_complete_directories)'"
        case .free: ""
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
