/// What a flag is, without the type of its value: all that parsing, help and suggestions need.
struct FlagDeclaration: Sendable {
    /// The headings under which help lists flags, in its order.
    enum Group: String, Sendable, CaseIterable {
        case input = "Input"
        case steps = "Steps"
        case time = "Time"
        case people = "People"
        case groups = "Groups"
        case output = "Output"
    }

    /// What happens when the flag is given twice.
    enum Repetition: Sendable {
        /// The last one counts, so that a call can override the flag of an alias.
        case lastCounts
        /// An error: the two would ask different questions.
        case refused
        /// All count, in their order; the value is an array.
        case collected
    }

    struct Value: Sendable {
        /// How help calls it: `FILE`.
        let placeholder: String
        /// The allowed words; empty if any text may do.
        let allowed: [String]
        /// Whether the value is a file's name.
        let isFile: Bool
        let example: String
        /// The value if the flag is not given, as one would write it.
        let defaultText: String?
        let parse: @Sendable (String) throws(ValueProblem) -> any Sendable
        /// Adds a value to those before, for a flag that is given several times.
        let collect: @Sendable (any Sendable, (any Sendable)?) -> any Sendable
    }

    /// Without dashes.
    let name: String
    let short: Character?
    let group: Group
    /// What the flag does. The part before the first `;`, `:` or `(` must make sense alone, because `-h` shows only that.
    let summary: String
    /// `nil` for a switch.
    let value: Value?
    let isRequired: Bool
    let repetition: Repetition
    /// Whether help, the manual and completions name it. An old spelling that scripts still use is not listed.
    private(set) var isListed = true

    var dashed: String { "--\(name)" }

    /// `-o`, or `--quality` where there is no letter.
    var shortest: String { short.map { "-\($0)" } ?? dashed }

    /// Whether the flag's value names a file to write. A command only reads other files that flags name.
    var isOutput: Bool { value?.isFile == true && group == .output }

    /// This flag as one that help does not list.
    var unlisted: FlagDeclaration {
        var flag = self
        flag.isListed = false
        return flag
    }

    /// An example of the flag in a call.
    var example: String { value.map { "\(dashed) \(ShellWord.quoted($0.example))" } ?? dashed }
}

/// What is wrong with a flag's value.
struct ValueProblem: Error, Sendable {
    /// The text after the flag's name and a colon.
    let message: String
    /// Lines to show below, such as a caret under the place.
    let detail: String?

    init(_ message: String, detail: String? = nil) {
        self.message = message
        self.detail = detail
    }
}
