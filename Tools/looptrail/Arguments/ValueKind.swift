import Funnels
import Reports

/// What a flag's value can be, and how its text is read.
struct ValueKind<Value: Sendable>: Sendable {
    let placeholder: String
    /// The allowed words; empty if any text may do.
    var allowed: [String] = []
    /// Whether the value is a file's name, which a shell can complete.
    var isFile = false
    let example: String
    let parse: @Sendable (String) throws(ValueProblem) -> Value
}

extension ValueKind {
    /// A text that follows a grammar. The error shows the place where it does not.
    ///
    /// - Parameter problem: makes the error's message from the given text.
    init(
        grammar: @escaping @Sendable (String) throws(GrammarError) -> Value, placeholder: String, example: String,
        problem: @escaping @Sendable (String) -> String
    ) {
        self.init(placeholder: placeholder, example: example) { text throws(ValueProblem) in
            do throws(GrammarError) { return try grammar(text) } catch {
                throw ValueProblem(problem(text), detail: error.pointing())
            }
        }
    }
}

extension ValueKind<String> {
    /// Any text but an empty one.
    ///
    /// - Parameter what: the word for it in an error.
    static func text(_ what: String, placeholder: String, isFile: Bool = false, example: String) -> ValueKind {
        ValueKind(placeholder: placeholder, isFile: isFile, example: example) { text throws(ValueProblem) in
            if text.isEmpty { throw ValueProblem("the \(what) is empty") }
            return text
        }
    }

    /// A file's name.
    static let file = text("name", placeholder: "FILE", isFile: true, example: "report.json")

    /// An event's name, as it stands in the files.
    static let eventName = text("name", placeholder: "NAME", example: "cart_added")

    /// One of a few words.
    static func word(_ words: [String], example: String) -> ValueKind {
        ValueKind(placeholder: words.joined(separator: "|"), allowed: words, example: example) { text throws(ValueProblem) in
            if words.contains(text) { return text }
            let nearest = NearestName.find(text, in: words).map { "; did you mean `\($0)`?" } ?? ""
            throw ValueProblem("`\(text)` is not one of \(words.map { "`\($0)`" }.joined(separator: ", "))\(nearest)")
        }
    }

    /// The name of a time zone in the IANA database. This does not check that the machine has the zone.
    static let zone = ValueKind(placeholder: "ZONE", example: "Europe/Berlin") { text throws(ValueProblem) in
        // The name becomes part of a path, so it must not lead elsewhere.
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let isName = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { ShellWord.isPlain($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ".") }
        }
        if isName { return text }
        throw ValueProblem("`\(text)` is not the name of a time zone, such as `Europe/Berlin` or `UTC`")
    }
}

extension ValueKind<Int> {
    /// A whole number within bounds.
    static func count(_ range: ClosedRange<Int>, example: String) -> ValueKind {
        ValueKind(placeholder: "N", example: example) { text throws(ValueProblem) in
            // `Int.init` would also take a plus sign.
            if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), range.contains(number) { return number }
            throw ValueProblem("`\(text)` is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
    }
}

extension ValueKind<Moment> {
    static let moment = ValueKind(placeholder: "WHEN", example: "2026-01-15") { text throws(ValueProblem) in
        guard let moment = Moment(text) else {
            throw ValueProblem(
                "`\(text)` is not a date or time: write `2026-01-15`, `2026-01-15T08:30`, `2026-01-15T08:30:00+01:00`, `now` or `now-7d`")
        }
        return moment
    }
}
