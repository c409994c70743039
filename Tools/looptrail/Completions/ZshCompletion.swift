/// Completion for zsh, by its `_arguments`.
struct ZshCompletion {
    let commands: [Command]

    var script: String {
        var lines = ["#compdef looptrail", "# zsh completion for looptrail; made by `looptrail completions zsh`", "_looptrail() {"]
        lines += ["    local -a commands", "    commands=("]
        for command in commands { lines.append("        " + ShellWord.inQuotes("\(command.name):\(escaped(command.summary, ":"))")) }
        lines += [
            "    )",
            "    if ((CURRENT == 2)); then",
            "        _describe -t commands command commands",
            "        compadd -- --help --version",
            "        return",
            "    fi",
            "    local command=$words[2]",
            "    # What follows sees the command as the program.",
            "    shift words",
            "    ((CURRENT--))",
        ]
        for group in commands where !group.tasks.isEmpty {
            lines += [
                "    if [[ $command == \(group.name) && $words[2] != -* ]] && ((CURRENT > 2)); then",
                "        command+=\" $words[2]\"", "        shift words", "        ((CURRENT--))", "    fi",
            ]
        }
        lines.append("    case $command in")
        for command in commands.flatMap({ [$0] + $0.tasks }) {
            lines.append("        '\(command.name)')")
            lines.append("            _arguments -S \\")
            for flag in command.listedFlags { lines.append("                \(specification(flag)) \\") }
            lines.append(
                "                '(-h --help)'{-h,--help}'[Show this help]'"
                    + operands(command).map { " \\\n                \($0)" }.joined())
            lines.append("            ;;")
        }
        lines += [
            "    esac",
            "}",
            "# Found through fpath, this file is the function; sourced, it names it.",
            "if [[ $funcstack[1] == _looptrail ]]; then",
            "    _looptrail \"$@\"",
            "else",
            "    compdef _looptrail looptrail",
            "fi",
        ]
        return lines.map { $0 + "\n" }.joined()
    }

    private func specification(_ flag: FlagDeclaration) -> String {
        let summary = "[\(escaped(flag.summary, "[]:"))]"
        let value = flag.value.map { ":\(escaped($0.placeholder, ":")):\(action($0.completed))" } ?? ""
        let equals = flag.value == nil ? "" : "="
        // `_arguments` offers a flag once, unless a star stands before it.
        let star = flag.repetition == .collected ? "*" : ""
        guard let short = flag.short else { return ShellWord.inQuotes("\(star)\(flag.dashed)\(equals)\(summary)\(value)") }
        let attached = flag.value == nil ? "" : "+"
        let others = star.isEmpty ? "(-\(short) \(flag.dashed))" : star
        return "'\(others)'{-\(short)\(attached),\(flag.dashed)\(equals)}" + ShellWord.inQuotes(summary + value)
    }

    private func operands(_ command: Command) -> [String] {
        let first = action(command.operands.completedFirst(commands: commands))
        let name = command.operands.placeholder
        switch command.operands {
        case .none: return []
        case .inputs, .files: return [ShellWord.inQuotes("*:\(name):\(first)")]
        case .optional, .commandName: return [ShellWord.inQuotes("::\(name):\(first)")]
        case .word: return [ShellWord.inQuotes(":\(name):\(first)")]
        case .textAndInputs: return [ShellWord.inQuotes(":\(name):\(first)"), "'*:PATH:_files'"]
        }
    }

    private func action(_ value: CompletedValue) -> String {
        switch value {
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .files: "_files"
        case .folders: "_files -/"
        // A blank means that there is a value, but nothing to offer.
        case .free: " "
        }
    }

    private func escaped(_ text: String, _ characters: String) -> String {
        text.reduce(into: "") { escaped, character in
            if character == "\\" || characters.contains(character) { escaped += "\\" }
            escaped.append(character)
        }
    }
}
