/// How a call of a command looks: the parts that help and the manual page share.
extension Command {
    /// `funnel [PATH...] --steps STEPS [flags]`.
    var synopsis: String {
        var words = [name]
        switch operands {
        case .none: break
        case .inputs: words.append(needsPath ? "PATH..." : "[PATH...]")
        case .files(_, let usage, _): words.append(usage)
        case .optional, .commandName: words.append("[\(operands.placeholder)]")
        case .word(_, let choice, _): words.append(choice.joined(separator: "|"))
        case .textAndInputs(let placeholder, _, _): words += [textIsOptional ? "[\(placeholder)]" : placeholder, "[PATH...]"]
        }
        words += flags.filter(\.isRequired).map { "\($0.dashed) \($0.value?.placeholder ?? "")" }
        if flags.contains(where: { !$0.isRequired }) { words.append("[flags]") }
        return words.joined(separator: " ")
    }

    /// The operands of a call, and what they mean.
    var operandRows: [(term: String, meaning: String)] {
        let paths = (
            "PATH",
            "A file, a glob or a folder (its *.ndjson.gz, *.ndjson.gz.open, *.ndjson, *.jsonl and *.jsonl.gz)" + (needsPath ? "" : pathNote)
        )
        switch operands {
        case .none: return []
        case .inputs: return [paths]
        case .files(let placeholder, _, let summary): return [(placeholder, summary)]
        case .optional(_, let summary), .commandName(let summary): return [(operands.placeholder, summary)]
        case .word(let placeholder, let words, let summary): return [(placeholder, "\(summary): \(words.joined(separator: ", "))")]
        case .textAndInputs(let placeholder, _, let summary): return [(placeholder, summary), paths]
        }
    }
}

extension Command.Operands {
    /// What help calls the first operand.
    var placeholder: String {
        switch self {
        case .none: ""
        case .inputs: "PATH"
        case .commandName: "COMMAND"
        case .files(let placeholder, _, _), .optional(let placeholder, _), .word(let placeholder, _, _),
            .textAndInputs(let placeholder, _, _):
            placeholder
        }
    }
}

extension FlagDeclaration {
    /// `-o, --output FILE`.
    var term: String {
        let names = short.map { "-\($0), \(dashed)" } ?? "    \(dashed)"
        return value.map { "\(names) \($0.placeholder)" } ?? names
    }

    /// What the flag does in a few words: its summary up to the first `;`, `:` or `(`, where details begin.
    var gist: String {
        let ends = ["; ", ": ", " ("].compactMap { summary.firstRange(of: $0)?.lowerBound }
        return summary[..<(ends.min() ?? summary.endIndex)] + (isRequired ? " (required)" : "")
    }

    var meaning: String { summary + (value?.defaultText.map { " (default: \($0))" } ?? "") + (isRequired ? " (required)" : "") }
}
