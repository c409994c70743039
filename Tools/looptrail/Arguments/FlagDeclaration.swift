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
        /// The last one counts, so that a script can add to what an alias says.
        case lastCounts
        /// An error: the two would ask different questions.
        case refused
        /// All count, in their order; the value is an array.
        case collected
    }

    struct Value: Sendable {
        /// How help calls it: `FILE`.
        let placeholder: String
        /// The words it can be; empty where it is free.
        let allowed: [String]
        /// Whether it is a file's name.
        let isFile: Bool
        let example: String
        /// What holds where the flag is not given, as one would write it.
        let defaultText: String?
        let parse: @Sendable (String) throws(ValueProblem) -> any Sendable
        /// Puts one more value behind those before, for a flag that is given several times.
        let collect: @Sendable (any Sendable, (any Sendable)?) -> any Sendable
    }

    /// Without dashes.
    let name: String
    let short: Character?
    let group: Group
    /// What it does. Up to its first `;`, `:` or `(` it must make sense alone: `-h` shows that.
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

    /// Whether its value names what is written. Any other file that a flag names is read.
    var isOutput: Bool { value?.isFile == true && group == .output }

    /// The same flag as an old spelling.
    var unlisted: FlagDeclaration {
        var flag = self
        flag.isListed = false
        return flag
    }

    /// An example of the flag as it is written.
    var example: String { value.map { "\(dashed) \(ShellWord.quoted($0.example))" } ?? dashed }
}

/// What is wrong with a flag's value.
struct ValueProblem: Error, Sendable {
    /// Follows the flag's name and a colon.
    let message: String
    /// Lines to show below, such as a caret under the place.
    let detail: String?

    init(_ message: String, detail: String? = nil) {
        self.message = message
        self.detail = detail
    }
}
