/// Help, made from the declarations.
struct HelpText {
    /// Columns to stay within.
    let width: Int

    init(width: Int? = nil) { self.width = min(max(width ?? 80, 40), 100) }

    /// All commands in one screen.
    func overview(of commands: [Command]) -> String {
        var lines = [
            "looptrail - funnels and checks over event files, offline", "", "Usage: looptrail COMMAND [PATH...] [flags]", "", "Commands:",
        ]
        lines += rows(commands.map { ($0.name, $0.summary) })
        lines += ["", "PATH is a file, a folder, a glob, or - for standard input.", ""]
        lines += ["looptrail help COMMAND describes one command, looptrail help --man all of them."]
        return text(lines)
    }

    /// All about one command.
    func full(_ command: Command) -> String {
        var lines = ["looptrail \(command.name) - \(command.summary)", "", usage(command)]
        for paragraph in command.discussion { lines += [""] + wrapped(paragraph, indent: 0) }
        lines += [""]
        lines += rows(command.operandRows)
        if !command.tasks.isEmpty {
            lines += [""] + rows(command.tasks.map { ($0.name, $0.summary) })
            lines += ["", "looptrail help \(command.name) \(command.operands.placeholder) describes one of them."]
        }
        lines += flags(command.flags)
        lines += examples(command.examples)
        return text(lines)
    }

    /// All about one thing that a command can do.
    func full(_ task: CommandTask, of command: Command) -> String {
        let name = "looptrail \(command.name) \(task.name)"
        var lines = ["\(name) - \(task.summary)", "", "Usage: \(name) \(task.operands) [flags]"]
        for paragraph in task.discussion { lines += [""] + wrapped(paragraph, indent: 0) }
        return text(lines + flags(task.flags) + examples(task.examples))
    }

    private func flags(_ flags: [FlagDeclaration]) -> [String] {
        ["", "Flags:"] + rows(flags.map { ($0.term, $0.meaning) } + [("-h, --help", "Show this help")])
    }

    private func examples(_ examples: [Command.Example]) -> [String] {
        if examples.isEmpty { return [] }
        return ["", "Examples:"]
            + examples.flatMap { example in
                wrapped("# \(example.purpose)", indent: 2)
                    + ["  looptrail " + example.arguments.map(ShellWord.quoted).joined(separator: " ")]
            }
    }

    /// The few lines for who forgot something.
    func short(_ command: Command) -> String {
        var lines = [usage(command)]
        if let example = command.examples.first {
            lines.append("For example: looptrail " + example.arguments.map(ShellWord.quoted).joined(separator: " "))
        }
        lines.append("See `looptrail help \(command.name)`.")
        return text(lines)
    }

    private func usage(_ command: Command) -> String { "Usage: looptrail \(command.synopsis)" }

    /// Terms and what they mean, side by side; a long term has a line of its own.
    private func rows(_ rows: [(term: String, meaning: String)]) -> [String] {
        // In a narrow window the terms' column would leave no room for what they mean.
        let longest = width < 60 ? 4 : 24
        let column = min(rows.map(\.term.count).max() ?? 0, longest) + 4
        return rows.flatMap { row in
            var lines = wrapped(row.meaning, indent: column)
            if row.term.count > longest { return ["  \(row.term)"] + lines }
            let term = "  \(row.term)"
            lines[0] = term + String(repeating: " ", count: column - term.count) + lines[0].dropFirst(column)
            return lines
        }
    }

    private func wrapped(_ text: String, indent: Int) -> [String] {
        let blank = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = blank
        for word in text.split(separator: " ") {
            if line.count > indent {
                if line.count + 1 + word.count > width {
                    lines.append(line)
                    line = blank
                } else {
                    line += " "
                }
            }
            line += word
        }
        return lines + [line]
    }

    private func text(_ lines: [String]) -> String { lines.map { "\($0)\n" }.joined() }
}
