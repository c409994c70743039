/// The manual page, made from the declarations.
struct ManualPage {
    let commands: [Command]

    /// The page of all commands, or of one.
    func text(of command: Command?) -> String {
        var page = RoffWriter()
        let title = command.map { "looptrail-\($0.name.split(separator: " ").joined(separator: "-"))" } ?? "looptrail"
        page.title(title, section: 1, source: "looptrail \(Looptrail.version)", manual: "Looptrail")
        page.heading("Name")
        page.plain("\(title) \\- ", command?.summary ?? "funnels and checks over event files, offline")
        page.heading("Synopsis")
        if let command {
            page.code(["looptrail \(command.synopsis)"])
            page.heading("Description")
            page.paragraphs(command.discussion)
            describe(command, in: &page)
        } else {
            page.code(commands.filter(\.tasks.isEmpty).map { "looptrail \($0.synopsis)" })
            page.heading("Description")
            page.paragraphs([
                "looptrail reads event files as the package's writer leaves them, and any lines of the same form, and answers from "
                    + "them without a server. Results go to standard output, all else to standard error. Flags are written as "
                    + "--flag value or --flag=value, before or after paths; -- ends them."
            ])
            page.heading("Commands")
            for command in commands {
                page.subheading("looptrail \(command.synopsis)")
                page.paragraphs([command.summary.prefix(1).uppercased() + command.summary.dropFirst() + "."] + command.discussion)
                describe(command, in: &page)
            }
        }
        page.heading("Exit status")
        for status in ExitStatus.allCases { page.item("\(status.rawValue)", status.meaning) }
        page.heading("Environment")
        page.item("NO_COLOR, TERM", "A value of NO_COLOR that is not empty, and dumb as TERM, turn colours off")
        page.item("LC_ALL, LC_CTYPE, LANG", "Bars and signs are ASCII unless the first of these that is set names UTF-8")
        page.item("COLUMNS", "The columns to stay within; without it the terminal's")
        page.item("TZDIR", "A folder with the compiled IANA time zone database, looked into before the usual ones")
        return page.text
    }

    private func describe(_ command: Command, in page: inout RoffWriter) {
        for row in command.operandRows { page.item(row.term, row.meaning) }
        for task in command.tasks { page.item(task.word, task.summary.prefix(1).uppercased() + task.summary.dropFirst()) }
        for (group, flags) in command.groupedFlags {
            page.paragraphs(["\(group.rawValue):"])
            for flag in flags { page.item(String(flag.term.drop { $0 == " " }), flag.meaning) }
        }
        for example in command.examples {
            page.paragraphs(["\(example.purpose.prefix(1).uppercased())\(example.purpose.dropFirst()):"])
            page.code([example.line])
        }
    }
}
