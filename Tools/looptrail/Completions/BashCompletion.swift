/// Completion for bash, 3.2 and later.
struct BashCompletion {
    let commands: [Command]

    var script: String {
        var lines = [
            "# bash completion for looptrail; made by `looptrail completions bash`",
            "_looptrail() {",
            "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} flags='' words=''",
            "    COMPREPLY=()",
            "    # bash breaks --flag=value into three words.",
            "    if [[ $current == '=' ]]; then",
            "        current=''",
            "    elif [[ $previous == '=' ]] && ((COMP_CWORD > 2)); then",
            "        previous=${COMP_WORDS[COMP_CWORD-2]}",
            "    fi",
            "    if ((COMP_CWORD == 1)); then",
            "        COMPREPLY=($(compgen -W \(quoted((commands.map(\.name) + ["--help", "--version"]))) -- \"$current\"))",
            "        return",
            "    fi",
            "    local first=2",
        ]
        for group in commands where !group.tasks.isEmpty {
            lines += [
                "    if [[ $command == \(group.name) && ${COMP_WORDS[2]} != -* ]] && ((COMP_CWORD > 2)); then",
                "        command+=\" ${COMP_WORDS[2]}\" first=3",
                "    fi",
            ]
        }
        lines.append("    case $command in")
        for command in commands.flatMap({ [$0] + $0.tasks }) { lines += branch(command) }
        lines += [
            "        *) return ;;",
            "    esac",
            "    if [[ $current == -* ]]; then",
            "        COMPREPLY=($(compgen -W \"$flags\" -- \"$current\"))",
            "    elif [[ $words == '<files>' ]]; then",
            "        # What readline does for files also quotes their names.",
            "        compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- \"$current\"))",
            "    elif [[ $words == '<folders>' ]]; then",
            "        compopt -o dirnames 2>/dev/null || COMPREPLY=($(compgen -d -- \"$current\"))",
            "    else",
            "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))",
            "    fi",
            "}",
            "complete -F _looptrail looptrail",
        ]
        return lines.map { $0 + "\n" }.joined()
    }

    private func branch(_ command: Command) -> [String] {
        var lines = ["        '\(command.name)')"]
        let flags = command.listedFlags.flatMap { flag in (flag.short.map { ["-\($0)"] } ?? []) + [flag.dashed] } + ["-h", "--help"]
        lines.append("            flags=\(quoted(flags))")
        lines.append("            words=\(text(command.operands.completedFirst(commands: commands)))")
        if command.operands.hasFilesBehindFirst {
            // After the first operand come files.
            lines.append("            ((COMP_CWORD > first)) && words='<files>'")
        }
        let taking = command.listedFlags.compactMap { flag in flag.value.map { (flag, $0) } }
        if !taking.isEmpty {
            lines.append("            case $previous in")
            for (flag, value) in taking {
                let names = (flag.short.map { "-\($0)|" } ?? "") + flag.dashed
                lines.append("                \(names)) flags='' words=\(text(value.completed)) ;;")
            }
            lines.append("            esac")
        }
        return lines + ["            ;;"]
    }

    private func text(_ value: CompletedValue) -> String {
        switch value {
        case .words(let words): quoted(words)
        case .files: "'<files>'"
        case .folders: "'<folders>'"
        case .free: "''"
        }
    }

    private func quoted(_ words: [String]) -> String { ShellWord.quoted(words.joined(separator: " ")) }
}
