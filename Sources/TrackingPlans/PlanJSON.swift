import Basics
import TrackingEvents

/// A value of the plan's file and where it stands.
///
/// It is a range of the file, whose content is read when it is asked for. Errors need line and column, generated code needs the order of
/// the keys, and a key that stands twice is an error. Foundation's decoder gives none of these.
struct PlanJSON {
    typealias Member = (key: String, keyOffset: Int, value: PlanJSON)

    private let value: JSONValue
    private let text: PlanText

    /// Reads the whole file: it holds one value, and nothing else.
    static func read(_ text: PlanText) throws(PlanError) -> PlanJSON {
        let value = try text.reading { document throws(BadLine) in try document.root() }
        try text.checkSurrogates()
        return PlanJSON(value: value, text: text)
    }

    var kind: JSONValue.Kind { value.kind }
    var offset: Int { value.offset }

    /// A number as the file spells it; `nil` for any other value.
    var number: String? { kind == .number ? spelling : nil }

    private var spelling: String { text.document.string(value.text) }

    /// The value in the words of an error: `the number 3`, `an object`.
    var words: String {
        switch kind {
        case .null: "`null`"
        case .bool(let truth): "`\(truth)`"
        case .number: "the number \(spelling)"
        case .string: "the text \(PlanText.quoted(text.document.string(value.text)))"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// An error at this value; unless `found` says otherwise, the value itself is what was not expected.
    func failure(_ found: String? = nil, expected: String) -> PlanError { text.failure(at: offset, found ?? words, expected) }

    func string() throws(PlanError) -> String {
        guard kind == .string else { throw failure(expected: "a text") }
        return text.document.string(value.text)
    }

    func flag() throws(PlanError) -> Bool {
        guard case .bool(let truth) = kind else { throw failure(expected: "`true` or `false`") }
        return truth
    }

    /// A text that is one of the type's words.
    func word<Word: RawRepresentable & CaseIterable>(_ type: Word.Type) throws(PlanError) -> Word where Word.RawValue == String {
        if let word = Word(rawValue: try string()) { return word }
        throw failure(expected: "one of \(PlanText.quoted(Word.allCases.map(\.rawValue)))")
    }

    func strings() throws(PlanError) -> [(text: String, offset: Int)] {
        guard kind == .array else { throw failure(expected: "an array of texts") }
        let elements = try text.reading { document throws(BadLine) in try document.elements(of: value) }
        return try elements.map { element throws(PlanError) in (try PlanJSON(value: element, text: text).string(), element.offset) }
    }

    /// The members of an object, in the order of the file; `expected` says what it is for.
    func members(_ expected: String) throws(PlanError) -> [Member] {
        guard kind == .object else { throw failure(expected: expected) }
        var offsets: [ExactText: Int] = [:]
        return try text.reading { document throws(BadLine) in try document.entries(of: value) }.map { entry throws(PlanError) in
            let (key, offset) = (text.document.string(entry.key), entry.key.range.lowerBound - 1)
            if let earlier = offsets.updateValue(offset, forKey: ExactText(key)) {
                throw text.failure(at: offset, "the key \(PlanText.quoted(key)) again", "each key once", other: earlier)
            }
            return (key, offset, PlanJSON(value: entry.value, text: text))
        }
    }

    /// The values of an object that has known keys only.
    func object(_ owner: String, keys: [String]) throws(PlanError) -> [String: PlanJSON] {
        let members = try members("an object for \(owner)")
        for member in members where !keys.contains(member.key) {
            let found = "the key \(PlanText.quoted(member.key))"
            throw text.failure(at: member.keyOffset, found, "for \(owner) one of \(PlanText.quoted(keys))")
        }
        return Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    }
}
