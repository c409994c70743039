import Basics

/// A flag and the type of its value; ``Arguments`` gives the value for it.
struct Flag<Value: Sendable>: Sendable {
    let declaration: FlagDeclaration

    /// A flag that takes a value.
    ///
    /// - Parameters:
    ///   - name: without dashes.
    ///   - group: where help lists it.
    ///   - summary: one sentence for the help, without a full stop.
    ///   - standard: the value if the flag is not given, as one would write it.
    ///   - example: an example value, if that of the kind does not fit.
    init(
        _ name: String, short: Character? = nil, in group: FlagDeclaration.Group = .steps, _ kind: ValueKind<Value>, _ summary: String,
        placeholder: String? = nil, example: String? = nil, standard: String? = nil, isRequired: Bool = false,
        repetition: FlagDeclaration.Repetition = .lastCounts
    ) {
        declaration = FlagDeclaration(
            name: name, short: short, group: group, summary: summary,
            value: .init(
                placeholder: placeholder ?? kind.placeholder, allowed: kind.allowed, isFile: kind.isFile, example: example ?? kind.example,
                defaultText: standard, parse: { text throws(ValueProblem) in try kind.parse(text) }, collect: { new, _ in new }),
            isRequired: isRequired, repetition: repetition)
    }

    /// A flag that may be given any number of times. Its value is the array of all values, in their order.
    init<Element: Sendable>(
        collecting name: String, short: Character? = nil, in group: FlagDeclaration.Group = .steps, _ kind: ValueKind<Element>,
        _ summary: String, example: String? = nil, isRequired: Bool = false
    ) where Value == [Element] {
        declaration = FlagDeclaration(
            name: name, short: short, group: group, summary: summary,
            value: .init(
                placeholder: kind.placeholder, allowed: kind.allowed, isFile: kind.isFile, example: example ?? kind.example,
                defaultText: nil, parse: { text throws(ValueProblem) in [try kind.parse(text)] },
                collect: { new, before in (before as? [Element] ?? []) + (new as? [Element] ?? []) }),
            isRequired: isRequired, repetition: .collected)
    }
}

extension Flag<Bool> {
    /// A flag without a value. To give it twice is the same as once.
    init(_ name: String, short: Character? = nil, in group: FlagDeclaration.Group = .steps, _ summary: String) {
        declaration = FlagDeclaration(
            name: name, short: short, group: group, summary: summary, value: nil, isRequired: false, repetition: .lastCounts)
    }
}

extension Flag {
    /// The bytes of a file that the flag names.
    ///
    /// - Throws: ``UsageError`` that says why it cannot be read.
    func file(_ path: String, atMost limit: Int) throws(UsageError) -> [UInt8] {
        do throws(WholeFile.Unread) { return try WholeFile.contents(of: path, atMost: limit) } catch {
            throw UsageError("\(declaration.dashed): `\(path)` \(error)")
        }
    }
}
