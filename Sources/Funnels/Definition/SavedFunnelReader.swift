import Basics
import TrackingEvents

/// Reads saved funnels strictly: a word that is misspelt must not be a funnel that counts something else.
struct SavedFunnelReader {
    static let keys = [
        "name", "steps", "window", "step-window", "session-timeout", "by", "order", "hold", "count", "exclude", "breakdown", "top",
        "identify", "compat",
        "since", "until",
    ]

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func all() throws(SavedFunnelError) -> [WrittenFunnel] {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = bytes.starts(with: mark) ? mark.count : 0
        return try within { raw throws(SavedFunnelError) in
            if let offset = JSONBytes.firstInvalidUTF8(in: raw) { throw failure(.invalidUTF8, at: offset) }
            var cursor = JSONCursor(raw, at: start)
            cursor.skipWhiteSpace()
            let funnels = cursor.byte == UInt8(ascii: "[") ? try array(&cursor) : [try funnel(&cursor)]
            cursor.skipWhiteSpace()
            if cursor.byte != nil { throw failure(.malformed(expected: "the end of the file"), at: cursor.offset) }
            return funnels
        }
    }

    private func within<Result>(
        _ body: (UnsafeRawBufferPointer) throws(SavedFunnelError) -> Result
    ) throws(SavedFunnelError) -> Result {
        let result = bytes.withUnsafeBytes { raw in
            Swift.Result { () throws(SavedFunnelError) in try body(raw) }
        }
        return try result.get()
    }

    private func array(_ cursor: inout JSONCursor) throws(SavedFunnelError) -> [WrittenFunnel] {
        let start = cursor.offset
        var funnels: [WrittenFunnel] = []
        _ = cursor.take("[")
        cursor.skipWhiteSpace()
        if cursor.take("]") { throw failure(.noFunnel, at: start) }
        while true {
            funnels.append(try funnel(&cursor))
            cursor.skipWhiteSpace()
            if cursor.take("]") { return funnels }
            if !cursor.take(",") { throw failure(.malformed(expected: "`,` or `]`"), at: cursor.offset) }
            cursor.skipWhiteSpace()
        }
    }

    private func funnel(_ cursor: inout JSONCursor) throws(SavedFunnelError) -> WrittenFunnel {
        let start = cursor.offset
        guard cursor.take("{") else { throw failure(.malformed(expected: "a funnel in `{ }`, or several in `[ ]`"), at: start) }
        var entries: [String: Entry] = [:]
        cursor.skipWhiteSpace()
        if !cursor.take("}") {
            while true {
                let offset = cursor.offset
                let entry: Entry
                let key: String
                do throws(BadLine) {
                    key = try cursor.key().string(in: cursor.bytes)
                    entry = Entry(offset: cursor.offset, value: try cursor.value(), bytes: cursor.bytes)
                } catch {
                    throw failure(error)
                }
                try add(entry, as: key, at: offset, to: &entries)
                cursor.skipWhiteSpace()
                if cursor.take("}") { break }
                if !cursor.take(",") { throw failure(.malformed(expected: "`,` or `}`"), at: cursor.offset) }
                cursor.skipWhiteSpace()
            }
        }
        let line = bytes[..<start].count { $0 == 0x0A } + 1
        return WrittenFunnel(funnel: try funnel(entries, at: start), steps: try text(entries, "steps") ?? "", line: line)
    }

    private func add(_ entry: Entry, as key: String, at offset: Int, to entries: inout [String: Entry]) throws(SavedFunnelError) {
        // JSON's own keys are written with underscores here; both are understood.
        let known = String(key.map { $0 == "_" ? "-" : $0 })
        guard Self.keys.contains(known) else {
            throw failure(.unknownKey(key, nearest: NearestName.find(known, in: Self.keys)), at: offset)
        }
        if entries[known] != nil { throw failure(.repeatedKey(key), at: offset) }
        entries[known] = entry
    }

    private func funnel(_ entries: [String: Entry], at start: Int) throws(SavedFunnelError) -> SavedFunnel {
        guard
            let steps = try parsed(entries, "steps", { text throws(GrammarError) in try FunnelStep.parse(text) })
        else { throw failure(.stepsMissing, at: start) }
        var funnel = SavedFunnel(name: try text(entries, "name"), steps: steps)
        if let window = try duration(entries, "window") { funnel.window = window }
        funnel.stepWindow = try duration(entries, "step-window")
        if let timeout = try duration(entries, "session-timeout") { funnel.sessionTimeout = timeout }
        if let key = try parsed(entries, "by", { text throws(GrammarError) in try FunnelKey.parse(text) }) { funnel.key = key }
        if let order = try word(entries, "order", FunnelDefinition.Order.self) { funnel.order = order }
        funnel.counting = try word(entries, "count", FunnelDefinition.Counting.self)
        funnel.hold = try parsed(entries, "hold") { text throws(GrammarError) in try PropertyPath.parse(text, subject: "hold") }
        funnel.exclusions = try exclusions(entries)
        let top = try count(entries, "top")
        funnel.breakdown = try parsed(entries, "breakdown") { text throws(GrammarError) in
            try FunnelBreakdown.parse(text, top: top ?? FunnelBreakdown.defaultTop)
        }
        if top != nil, funnel.breakdown == nil, let entry = entries["top"] {
            throw failure(.wrongValue(key: "top", expected: "a `breakdown` beside it"), at: entry.offset)
        }
        funnel.compat = try parsed(entries, "compat") { text throws(GrammarError) in try FunnelCompat.parse(text) }
        if let entry = entries["identify"], entry.value.kind != .null {
            guard case .bool(let identify) = entry.value.kind else {
                throw failure(.wrongValue(key: "identify", expected: "`true` or `false`"), at: entry.offset)
            }
            funnel.identify = identify
        }
        funnel.since = try text(entries, "since")
        funnel.until = try text(entries, "until")
        return funnel
    }
}

/// Reading one value.
extension SavedFunnelReader {
    /// A value and where it stands.
    fileprivate struct Entry {
        var offset: Int
        var value: JSONValue
        var bytes: UnsafeRawBufferPointer
    }

    private func text(_ entries: [String: Entry], _ key: String) throws(SavedFunnelError) -> String? {
        guard let entry = entries[key], entry.value.kind != .null else { return nil }
        guard entry.value.kind == .string else { throw failure(.wrongValue(key: key, expected: "text"), at: entry.offset) }
        return entry.value.text.string(in: entry.bytes)
    }

    private func parsed<Value>(
        _ entries: [String: Entry], _ key: String, _ parse: (String) throws(GrammarError) -> Value
    ) throws(SavedFunnelError) -> Value? {
        guard let text = try text(entries, key) else { return nil }
        do throws(GrammarError) { return try parse(text) } catch {
            throw failure(.grammar(key: key, error), at: entries[key]?.offset ?? 0)
        }
    }

    private func duration(_ entries: [String: Entry], _ key: String) throws(SavedFunnelError) -> Int64? {
        try parsed(entries, key) { text throws(GrammarError) in try DurationText.milliseconds(text, subject: key) }
    }

    private func word<Word: RawRepresentable & CaseIterable>(
        _ entries: [String: Entry], _ key: String, _ type: Word.Type
    ) throws(SavedFunnelError) -> Word? where Word.RawValue == String {
        guard let text = try text(entries, key) else { return nil }
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        throw failure(.wrongValue(key: key, expected: "one of \(words)"), at: entries[key]?.offset ?? 0)
    }

    private func count(_ entries: [String: Entry], _ key: String) throws(SavedFunnelError) -> Int? {
        guard let entry = entries[key], entry.value.kind != .null else { return nil }
        guard entry.value.kind == .number, let count = Int(entry.value.text.string(in: entry.bytes)), count >= 1 else {
            throw failure(.wrongValue(key: key, expected: "a whole number from 1 on"), at: entry.offset)
        }
        return count
    }

    /// One text, or an array of them.
    private func exclusions(_ entries: [String: Entry]) throws(SavedFunnelError) -> [FunnelExclusion] {
        guard let entry = entries["exclude"], entry.value.kind != .null else { return [] }
        let parse = { (text: String) throws(GrammarError) in try FunnelExclusion.parse(text) }
        guard entry.value.kind == .array else { return [try parsed(entries, "exclude", parse)].compactMap { $0 } }
        var cursor = JSONCursor(entry.bytes, at: entry.offset)
        var values: [JSONValue] = []
        do throws(BadLine) { try cursor.forEachElement { values.append($0) } } catch { throw failure(error) }
        var exclusions: [FunnelExclusion] = []
        for value in values {
            let offset = value.text.range.lowerBound - (value.kind == .string ? 1 : 0)
            let one = ["exclude": Entry(offset: offset, value: value, bytes: entry.bytes)]
            if let exclusion = try parsed(one, "exclude", parse) { exclusions.append(exclusion) }
        }
        return exclusions
    }

    private func failure(_ error: BadLine) -> SavedFunnelError {
        failure(.malformed(expected: error.expected), at: error.byteOffset)
    }

    private func failure(_ problem: SavedFunnelError.Problem, at offset: Int) -> SavedFunnelError {
        let place = TextPlace(ofByte: offset, in: bytes)
        return SavedFunnelError(problem: problem, line: place.line, column: place.column)
    }
}
