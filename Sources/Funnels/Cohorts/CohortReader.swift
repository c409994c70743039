import Basics
import EventFiles
import TrackingEvents
import TrackingPlans

/// Reads a list of keys in whichever of its forms it is.
struct CohortReader {
    private(set) var key = FunnelKey.user
    private(set) var keys: Set<Fingerprint> = []

    private let document: JSONDocument
    private var bytes: [UInt8] { document.bytes }

    /// A first cell with one of these texts is a heading, not a key.
    private static let headings: Set<String> = ["key", "user", "user_id", "userid", "id", "session", "session_id"]

    init(_ bytes: [UInt8]) { document = JSONDocument(bytes) }

    mutating func readAll() throws(CohortError) {
        if let offset = bytes.firstIndex(of: 0) { throw failure(.binary, at: offset) }
        if bytes.starts(with: [0x1F, 0x8B]) { throw failure(.binary, at: 0) }
        if let invalid = document.firstInvalid { throw failure(.invalidUTF8, at: invalid) }
        let first = document.firstOffset
        guard first < bytes.count else { throw failure(.empty, at: bytes.count) }
        if bytes[first] == UInt8(ascii: "{") || bytes[first] == UInt8(ascii: "[") { try readJSON() } else { try readRows() }
    }

    private mutating func add(_ text: [UInt8]) { if !text.isEmpty { keys.insert(text.withUnsafeBytes { .of($0) }) } }

    private func failure(_ problem: CohortError.Problem, at offset: Int) -> CohortError {
        let place = TextPlace(ofByte: offset, in: bytes)
        return CohortError(problem: problem, line: place.line, column: place.column)
    }
}

/// Rows of comma-separated values (RFC 4180). The simplest form is one key a line.
extension CohortReader {
    private mutating func readRows() throws(CohortError) {
        let first = document.firstOffset
        var (offset, isOurs) = (first, false)
        while offset < bytes.count {
            let isFirst = offset == first
            var cell = try firstCell(at: &offset)
            let text = String(decoding: cell, as: UTF8.self)
            // A table of `looptrail users` begins with `key`, and marks cells that a spreadsheet could compute.
            if isFirst { isOurs = text == "key" }
            if isFirst && Self.headings.contains(text.lowercased()) { continue }
            if isOurs, Cohort.isMarked(text) { cell.removeFirst() }
            add(cell)
        }
    }

    /// The first cell of the row at `offset`, without the blanks around it unless it is quoted. Moves `offset` behind the row.
    private func firstCell(at offset: inout Int) throws(CohortError) -> [UInt8] {
        var first: [UInt8]?
        repeat {
            let isQuoted = offset < bytes.count && bytes[offset] == UInt8(ascii: "\"")
            let cell = isQuoted ? try quoted(at: &offset) : nil
            // Text behind a closing quote is no part of the cell.
            let end = bytes[offset...].firstIndex { [UInt8(ascii: ","), 0x0A, 0x0D].contains($0) } ?? bytes.count
            first = first ?? cell ?? trimmed(bytes[offset..<end])
            offset = end + 1
        } while offset <= bytes.count && bytes[offset - 1] == UInt8(ascii: ",")
        if offset < bytes.count, bytes[offset - 1] == 0x0D, bytes[offset] == 0x0A { offset += 1 }
        return first ?? []
    }

    private func quoted(at offset: inout Int) throws(CohortError) -> [UInt8] {
        let start = offset
        var text: [UInt8] = []
        repeat {
            guard let end = bytes[(offset + 1)...].firstIndex(of: UInt8(ascii: "\"")) else { throw failure(.openQuote, at: start) }
            // A doubled quote stands for one in the text.
            text += bytes[(offset == start ? offset + 1 : offset)..<end]
            offset = end + 1
        } while offset < bytes.count && bytes[offset] == UInt8(ascii: "\"")
        return text
    }

    private func trimmed(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        return Array(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}

/// The JSON of `looptrail users`: `definition.by` says what the keys are, `members` has them.
extension CohortReader {
    private mutating func readJSON() throws(CohortError) {
        var by: String?
        var texts: [String]?
        var problem: CohortError?
        do throws(BadLine) {
            let root = try document.root()
            by = document.string(try document.value(at: "definition", "by", of: root))
            if let members = try document.value(at: "members", of: root), members.kind == .array {
                // A member is an object with a `key`, or the key itself: a text, or a number as it stands there.
                let keys = try document.elements(of: members).map { one throws(BadLine) in
                    one.kind == .object ? try document.value(at: "key", of: one) : one
                }
                texts = keys.compactMap { $0.flatMap { $0.hasText ? document.string($0.text) : nil } }
            }
        } catch {
            problem = failure(.malformed(expected: error.expected), at: error.byteOffset)
        }
        // The first line of a file of events is JSON by itself.
        if problem != nil || texts == nil, looksLikeEvents { throw failure(.events, at: document.start) }
        if let problem { throw problem }
        guard let texts else { throw failure(.noMembers, at: document.start) }
        if let by {
            do throws(GrammarError) { key = try FunnelKey.parse(by) } catch { throw failure(.noMembers, at: document.start) }
        }
        for text in texts { add(Array(text.utf8)) }
    }

    private var looksLikeEvents: Bool {
        Array(bytes[document.firstOffset...].prefix { $0 != 0x0A }).withUnsafeBytes { (try? EventLineScanner(.head).scan($0)) != nil }
    }
}

extension Cohort {
    /// Whether a cell begins with the apostrophe that CSV reports put before what a spreadsheet could compute: before a sign, white space,
    /// the `\` of a character that is spelled out, or an apostrophe. A text that looks marked by itself gets one more.
    package static func isMarked(_ cell: String) -> Bool {
        guard cell.hasPrefix("'"), let next = cell.unicodeScalars.dropFirst().first else { return false }
        return next.properties.isWhitespace || ["=", "+", "-", "@", "＝", "＋", "－", "＠", "\\", "'"].contains(next)
    }
}
