/// One of several things that a command can do.
struct CommandTask: Sendable {
    let name: String
    /// What stands behind its name, flags left out: `OLD NEW`.
    let operands: String
    /// One line, without a full stop.
    let summary: String
    /// Paragraphs.
    let discussion: [String]
    /// Those of the command's flags that it takes.
    let flags: [FlagDeclaration]
    let examples: [Command.Example]
}
