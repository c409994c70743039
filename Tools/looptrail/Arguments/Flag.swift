/// A flag and the type of its value; ``Arguments`` gives the value for it.
struct Flag<Value: Sendable>: Sendable {
    let declaration: FlagDeclaration

    /// A flag that takes a value.
    ///
    /// - Parameters:
    ///   - name: without dashes.
    ///   - summary: one sentence for the help, without a full stop.
    ///   - standard: the value where the flag is not given, as one would write it.
    ///   - example: where the kind's own does not fit.
    init(
        _ name: String, short: Character? = nil, _ kind: ValueKind<Value>, _ summary: String, placeholder: String? = nil,
        example: String? = nil, standard: String? = nil, isRequired: Bool = false,
        repetition: FlagDeclaration.Repetition = .lastCounts
    ) {
        declaration = FlagDeclaration(
            name: name, short: short, summary: summary,
            value: .init(
                placeholder: placeholder ?? kind.placeholder, allowed: kind.allowed, isFile: kind.isFile, example: example ?? kind.example,
                defaultText: standard, parse: { text throws(ValueProblem) in try kind.parse(text) }),
            isRequired: isRequired, repetition: repetition)
    }
}

extension Flag<Bool> {
    /// A flag without a value: given or not. Twice is once.
    init(_ name: String, short: Character? = nil, _ summary: String) {
        declaration = FlagDeclaration(
            name: name, short: short, summary: summary, value: nil, isRequired: false, repetition: .lastCounts)
    }
}
