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
        lines += ["looptrail COMMAND -h shows the flags that matter, looptrail help COMMAND all,", "looptrail help --man the manual page."]
        return text(lines)
    }

    /// One screen about a command, for people who know it and look for a word.
    func brief(_ command: Command) -> String {
        var lines = [usage(command)]
        lines.append(command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".")
        lines.append("")
        lines += rows(command.tasks.map { ($0.word, $0.summary) })
        lines += rows(command.essentialFlags.map { (String($0.term.drop { $0 == " " }), $0.gist) })
        lines += examples(Array(command.examples.prefix(2)))
        let more = command.listedFlags.count - command.essentialFlags.count
        lines += ["", "See also: looptrail \(command.name) --help" + (more > 0 ? ", for \(more) more flags" : "")]
        return text(lines)
    }

    /// All about one command.
    func full(_ command: Command) -> String {
        var lines = ["looptrail \(command.name) - \(command.summary)", "", usage(command)]
        for paragraph in command.discussion { lines += [""] + wrapped(paragraph, indent: 0) }
        if !command.operandRows.isEmpty { lines += [""] + rows(command.operandRows) }
        if !command.tasks.isEmpty {
            lines += [""] + rows(command.tasks.map { ($0.word, $0.summary) })
            lines += ["", "looptrail help \(command.name) \(command.operands.placeholder) describes one of them."]
        }
        for (group, flags) in command.groupedFlags {
            lines += ["", "\(group.rawValue):"] + rows(flags.map { ($0.term, $0.meaning) })
        }
        lines += ["", "  -h shows the flags that matter, --help all of this."]
        lines += examples(command.examples)
        let others = command.seeAlso.map { "looptrail help \($0)" }
        if !others.isEmpty { lines += ["", "See also: " + others.joined(separator: ", ")] }
        return text(lines)
    }

    /// The few lines for a call without input.
    func short(_ command: Command) -> String {
        var lines = [usage(command)]
        if let example = command.examples.first { lines.append("For example: \(example.line)") }
        lines.append("See `looptrail help \(command.name)`.")
        return text(lines)
    }

    private func examples(_ examples: [Command.Example]) -> [String] {
        if examples.isEmpty { return [] }
        return ["", "Examples:"] + examples.flatMap { wrapped("# \($0.purpose)", indent: 2, continued: "# ") + ["  \($0.line)"] }
    }

    private func usage(_ command: Command) -> String { "Usage: looptrail \(command.synopsis)" }

    /// Terms and their meanings, side by side. A long term has a line of its own.
    private func rows(_ rows: [(term: String, meaning: String)]) -> [String] {
        // In a narrow window, a wide column of terms would leave no room for the meanings.
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

    /// - Parameter continued: the beginning of each line after the first, behind the indent.
    private func wrapped(_ text: String, indent: Int, continued: String = "") -> [String] {
        let blank = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = blank
        for word in text.split(separator: " ") {
            if line != blank, line.count + 1 + word.count > width {
                lines.append(line)
                line = blank + continued + word
            } else {
                line += (line == blank ? "" : " ") + word
            }
        }
        return lines + [line]
    }

    private func text(_ lines: [String]) -> String { lines.map { "\($0)\n" }.joined() }
}
