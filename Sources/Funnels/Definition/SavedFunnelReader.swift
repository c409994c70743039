import Basics
import TrackingEvents
import TrackingPlans

/// Reads saved funnels strictly: a misspelt word must not make a funnel that counts something else.
struct SavedFunnelReader {
    static let keys = [
        "name", "steps", "window", "step-window", "session-timeout", "by", "order", "hold", "count", "exclude", "breakdown", "top",
        "identify", "compat", "since", "until",
    ]

    private let document: JSONDocument
    /// The offsets of all line feeds.
    private let lineEnds: [Int]

    init(_ bytes: [UInt8]) { (document, lineEnds) = (JSONDocument(bytes), bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }) }

    func all() throws(SavedFunnelError) -> [WrittenFunnel] {
        if let invalid = document.firstInvalid { throw failure(.invalidUTF8, at: invalid) }
        let first = document.firstOffset
        guard document.bytes[first...].first.map("[{".utf8.contains) ?? false else { throw failure(Self.noFunnel, at: first) }
        let found = try reading { document throws(BadLine) in try document.elements(of: document.root()) }
        if found.isEmpty { throw failure(.noFunnel, at: first) }
        return try found.map(funnel)
    }

    private func funnel(_ object: JSONValue) throws(SavedFunnelError) -> WrittenFunnel {
        guard object.kind == .object else { throw failure(Self.noFunnel, at: object.offset) }
        var entries: [String: JSONValue] = [:]
        for (text, value) in try reading({ document throws(BadLine) in try document.entries(of: object) }) {
            let key = document.string(text)
            // Elsewhere our JSON has underscores in its keys: both spellings are understood.
            let known = String(key.map { $0 == "_" ? "-" : $0 })
            guard Self.keys.contains(known) else {
                throw failure(.unknownKey(key, nearest: NearestName.find(known, in: Self.keys)), at: text.range.lowerBound - 1)
            }
            if entries.updateValue(value, forKey: known) != nil { throw failure(.repeatedKey(key), at: text.range.lowerBound - 1) }
        }
        entries = entries.filter { $0.value.kind != .null }
        let line = lineEnds.partitionPoint { $0 >= object.offset } + 1
        // One text, or an array of them.
        let excluded = try entries["exclude"].map { exclude throws(SavedFunnelError) in
            try reading { document throws(BadLine) in try document.elements(of: exclude) }
        }
        let found = try funnel(entries, excluded ?? [], at: object.offset)
        return WrittenFunnel(
            funnel: found, steps: try text(entries["steps"], "steps") ?? "", exclusions: excluded?.compactMap { document.string($0) } ?? [],
            breakdown: try text(entries["breakdown"], "breakdown"), line: line)
    }

    private func funnel(_ entries: [String: JSONValue], _ excluded: [JSONValue], at start: Int) throws(SavedFunnelError) -> SavedFunnel {
        guard let steps = try parsed(entries["steps"], "steps", FunnelStep.parse) else { throw failure(.stepsMissing, at: start) }
        var funnel = SavedFunnel(name: try text(entries["name"], "name"), steps: steps)
        if let window = try duration(entries, "window") { funnel.window = window }
        funnel.stepWindow = try duration(entries, "step-window")
        if let timeout = try duration(entries, "session-timeout") { funnel.sessionTimeout = timeout }
        if let key = try parsed(entries["by"], "by", FunnelKey.parse) { funnel.key = key }
        if let order = try word(entries, "order", FunnelDefinition.Order.self) { funnel.order = order }
        funnel.counting = try word(entries, "count", FunnelDefinition.Counting.self)
        funnel.hold = try parsed(entries["hold"], "hold") { text throws(GrammarError) in try PropertyPath.parse(text, subject: "hold") }
        for one in excluded where one.kind != .null {
            if let exclusion = try parsed(one, "exclude", FunnelExclusion.parse) { funnel.exclusions.append(exclusion) }
        }
        let top = try entries["top"].map { value throws(SavedFunnelError) in
            guard value.kind == .number, let count = Int(document.string(value.text)), FunnelBreakdown.tops ~= count else {
                throw failure("top", at: value, expected: "a whole number from 1 to 10,000")
            }
            return count
        }
        funnel.breakdown = try parsed(entries["breakdown"], "breakdown") { text throws(GrammarError) in
            try FunnelBreakdown.parse(text, top: top ?? FunnelBreakdown.defaultTop)
        }
        if let value = entries["top"], funnel.breakdown == nil { throw failure("top", at: value, expected: "a `breakdown` beside it") }
        funnel.compat = try parsed(entries["compat"], "compat", FunnelCompat.parse)
        if let value = entries["identify"] {
            guard case .bool(let identify) = value.kind else { throw failure("identify", at: value, expected: "`true` or `false`") }
            funnel.identify = identify
        }
        funnel.since = try text(entries["since"], "since")
        funnel.until = try text(entries["until"], "until")
        return funnel
    }

    private func text(_ value: JSONValue?, _ key: String) throws(SavedFunnelError) -> String? {
        guard let value else { return nil }
        guard let text = document.string(value) else { throw failure(key, at: value, expected: "text") }
        return text
    }

    private func parsed<Value>(
        _ value: JSONValue?, _ key: String, _ parse: (String) throws(GrammarError) -> Value
    ) throws(SavedFunnelError) -> Value? {
        guard let value, let text = try text(value, key) else { return nil }
        do throws(GrammarError) { return try parse(text) } catch { throw failure(.grammar(key: key, error), at: value.offset) }
    }

    private func duration(_ entries: [String: JSONValue], _ key: String) throws(SavedFunnelError) -> Int64? {
        try parsed(entries[key], key) { text throws(GrammarError) in try DurationText.milliseconds(text, subject: key) }
    }

    private func word<Word: RawRepresentable & CaseIterable>(
        _ entries: [String: JSONValue], _ key: String, _ type: Word.Type
    ) throws(SavedFunnelError) -> Word? where Word.RawValue == String {
        guard let value = entries[key], let text = try text(value, key) else { return nil }
        if let word = Word(rawValue: text) { return word }
        throw failure(key, at: value, expected: "one of \(Word.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "))")
    }

    private static let noFunnel = SavedFunnelError.Problem.malformed(expected: "a funnel in `{ }`, or several in `[ ]`")

    private func reading<Value>(_ read: (JSONDocument) throws(BadLine) -> Value) throws(SavedFunnelError) -> Value {
        do throws(BadLine) { return try read(document) } catch { throw failure(.malformed(expected: error.expected), at: error.byteOffset) }
    }

    private func failure(_ key: String, at value: JSONValue, expected: String) -> SavedFunnelError {
        failure(.wrongValue(key: key, expected: expected), at: value.offset)
    }

    private func failure(_ problem: SavedFunnelError.Problem, at offset: Int) -> SavedFunnelError {
        let place = TextPlace(ofByte: offset, in: document.bytes)
        return SavedFunnelError(problem: problem, line: place.line, column: place.column)
    }
}

extension BadLine {
    /// What was expected where JSON is wrong.
    var expected: String {
        switch reason {
        case .malformed(.endOfLine): "the end of the file"
        case .malformed(let expected): String(expected.rawValue.map { $0 == "\"" ? "`" : $0 })
        default: "fewer levels of nesting"
        }
    }
}
