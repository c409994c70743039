import Funnels

/// Reads a command's arguments by its declaration.
///
/// Flags stand anywhere, as `--flag value` or `--flag=value`; `-o FILE` and `-oFILE` for those with a letter; `--` ends the
/// flags; `-` alone is an operand. Flags are never abbreviated: a flag added later must not change what a script means.
struct ArgumentParser {
    enum Outcome: Sendable {
        case run(Arguments)
        /// The whole help, or one screen of it.
        case help(isBrief: Bool)
    }

    private let command: Command
    private var rest: ArraySlice<String>
    private var arguments = Arguments()

    /// Parses the arguments that follow the command's name.
    static func parse(_ arguments: [String], of command: Command) throws(UsageError) -> Outcome {
        // A call with a mistake in it still gives help, because that is when people want it.
        let words = arguments.prefix { $0 != "--" }
        if words.contains("--help") { return .help(isBrief: false) }
        if words.contains("-h") { return .help(isBrief: true) }
        var parser = ArgumentParser(command, arguments)
        return .run(try parser.all())
    }

    private init(_ command: Command, _ arguments: [String]) {
        self.command = command
        rest = arguments[...]
    }

    private mutating func all() throws(UsageError) -> Arguments {
        var flagsEnded = false
        while let argument = rest.popFirst() {
            if flagsEnded || argument == "-" || !argument.hasPrefix("-") {
                try addOperand(argument)
            } else if argument == "--" {
                flagsEnded = true
            } else if argument.hasPrefix("--") {
                try takeLong(argument)
            } else {
                try takeShort(argument)
            }
        }
        try complete()
        return arguments
    }

    private mutating func addOperand(_ operand: String) throws(UsageError) {
        switch command.operands {
        case .none: throw UsageError("`\(operand)` is one argument too many: `looptrail \(command.name)` takes flags only")
        case .inputs, .files:
            if operand.isEmpty { throw UsageError("a path is empty: is a variable unset?") }
        case .textAndInputs(let placeholder, _, _):
            let what = arguments.operands.isEmpty ? "\(placeholder) is empty" : "a path is empty"
            if operand.isEmpty { throw UsageError("\(what): is a variable unset?") }
        case .commandName where arguments.operands.count == 1:
            // The second word is a task of the first: `help plan infer`.
            break
        case .optional, .commandName, .word:
            let placeholder = command.operands.placeholder
            if operand.isEmpty { throw UsageError("\(placeholder) is empty: is a variable unset?") }
            if let first = arguments.operands.first {
                throw UsageError("`\(operand)` is one too many: \(placeholder) is `\(first)` already")
            }
            if case .word(_, let words, _) = command.operands { try Self.check(operand, isOneOf: words, placeholder) }
        }
        arguments.addOperand(operand)
    }

    private static func check(_ operand: String, isOneOf words: [String], _ placeholder: String) throws(UsageError) {
        if words.contains(operand) { return }
        let nearest = NearestName.find(operand, in: words).map { "; did you mean `\($0)`?" } ?? ""
        let all = words.map { "`\($0)`" }.joined(separator: ", ")
        throw UsageError("`\(operand)` is not a \(placeholder), only \(all) are\(nearest)")
    }

    private mutating func takeLong(_ argument: String) throws(UsageError) {
        let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let flag = command.flags.first(where: { $0.name == name }) else { throw unknown("--\(name)", name: name) }
        try take(flag, written: flag.dashed, attached: parts.count == 2 ? String(parts[1]) : nil)
    }

    private mutating func takeShort(_ argument: String) throws(UsageError) {
        let letter = argument[argument.index(after: argument.startIndex)]
        guard let flag = command.flags.first(where: { $0.short == letter }) else {
            // `-steps` was meant as `--steps`.
            throw unknown(argument, name: String(argument.dropFirst()))
        }
        var attached = argument.dropFirst(2)
        if attached.first == "=" { attached.removeFirst() }
        try take(flag, written: "-\(letter)", attached: argument.count > 2 ? String(attached) : nil)
    }

    private mutating func take(_ flag: FlagDeclaration, written: String, attached: String?) throws(UsageError) {
        guard let value = flag.value else {
            if let attached { throw UsageError("\(written) takes no value, but `\(attached)` was given") }
            return arguments.set(true, for: flag)
        }
        if flag.repetition == .refused && arguments.has(flag) { throw UsageError("\(written) is given twice: give it once") }
        guard let text = attached ?? nextValue() else {
            throw UsageError("\(written) needs a value, for example `\(flag.example)`")
        }
        do {
            let parsed = try value.parse(text)
            arguments.set(flag.repetition == .collected ? value.collect(parsed, arguments.value(of: flag)) : parsed, for: flag)
        } catch {
            let place = error.detail.map { "\($0)\n" } ?? ""
            throw UsageError("\(written): \(error.message)", detail: "\(place)for example: \(flag.example)")
        }
    }

    /// The next argument; `nil` if that is a flag of this command or `--`, because then the value was forgotten.
    private mutating func nextValue() -> String? {
        guard let next = rest.first else { return nil }
        let name = next.prefix { $0 != "=" }
        if next == "--" || command.flags.contains(where: { name == $0.dashed || ($0.short.map { next == "-\($0)" } ?? false) }) {
            return nil
        }
        return rest.removeFirst()
    }

    private func unknown(_ written: String, name: String) -> UsageError {
        let isOwn = command.flags.contains { $0.name == name }
        if !isOwn, let sibling = command.siblings.first(where: { $0.listedFlags.contains { $0.name == name } }) {
            return UsageError("--\(name) belongs to `\(sibling.name)`, not to `\(command.name)`")
        }
        if name == "help" { return UsageError("--help takes no value") }
        let names = command.listedFlags.map(\.name) + ["help"]
        guard let nearest = names.first(where: { $0 == name }) ?? NearestName.find(name, in: names) else {
            return UsageError("unknown flag `\(written)`")
        }
        return UsageError("unknown flag `\(written)`: did you mean `--\(nearest)`?")
    }

    private mutating func complete() throws(UsageError) {
        if arguments.operands.isEmpty {
            switch command.operands {
            case .none, .inputs, .optional, .commandName: break
            case .files(let placeholder, _, _): throw UsageError("\(placeholder) is needed")
            case .word(let placeholder, let words, _):
                throw UsageError("\(placeholder) is needed: \(words.map { "`\($0)`" }.joined(separator: ", "))")
            case .textAndInputs(let placeholder, let example, _):
                if !command.takesText(arguments) { break }
                throw UsageError("\(placeholder) is needed, for example `looptrail \(command.name) \(ShellWord.quoted(example))`")
            }
        }
        for flag in command.flags where !arguments.has(flag) {
            if flag.isRequired { throw UsageError("\(flag.dashed) is needed, for example `\(flag.example)`") }
            guard let value = flag.value, let text = value.defaultText else { continue }
            do {
                arguments.set(try value.parse(text), for: flag)
            } catch {
                throw UsageError("\(flag.dashed): \(error.message)")
            }
        }
    }
}
