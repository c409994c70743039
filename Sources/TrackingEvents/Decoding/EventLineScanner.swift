/// Reads the head of a line: time, name, user, session, number. All readers of events use it. A line in the layout of this format's writers
/// (keys in their order, no white space, no escapes before `props`) is read by position, and every byte of the head is verified. Any other
/// JSON layout goes through a strict parser with the same result. The rules for a good line:
///
/// - It is one JSON object (RFC 8259), with any white space around its parts, and has `t_ms` and `name`.
/// - If a key occurs twice, the last one counts, as in most parsers; the earlier value may be anything.
/// - `t_ms` is a whole number within ±2⁵³; `1767225600000.0` and `1.7672256e12` are whole, `1.5` is not, and text is no number.
/// - `name` is a text and not empty; `user`, `session`, `id`, `system` are texts; `seq` is whole and at least 1; `type` is
///   `track`, `meta` or `timing`; `props` is an object. `null` counts as missing for all of these but `t_ms` and `name`.
/// - `v` is whole and at most ``EventLineLimits/version``; missing means 1.
/// - Other keys may hold any JSON.
/// - Containers nest at most ``depthLimit`` deep below the line's own object.
///
/// An escape that is half of a surrogate pair is accepted and reads as U+FFFD.
package struct EventLineScanner: Sendable {
    /// How much of a line is checked.
    package enum Scope: Sendable {
        /// The head. In the writers' layout, `props` is only checked to end the line, its contents when used. Broken UTF-8 reads as U+FFFD.
        case head
        /// Every byte, `props` and UTF-8 included.
        case wholeLine
    }

    /// How deep objects and arrays may nest inside a line's object.
    package static let depthLimit = 128
    /// The longest line that is scanned, in bytes. Readers have a lower limit of their own.
    package static let lengthLimit = 1 << 30

    private let scope: Scope

    package init(_ scope: Scope = .head) { self.scope = scope }

    /// Reads the head of one line, given without its line feed. A carriage return at the end is white space. O(bytes of the line); in the
    /// writers' layout, `props` is only searched for braces. Allocates nothing, unless a key itself is written with escapes.
    package func scan(_ line: UnsafeRawBufferPointer) throws(BadLine) -> EventLine {
        if scope == .head, let event = Self.scanFixedLayout(line) { return event }
        guard line.count <= Self.lengthLimit else { throw BadLine(.tooLong, at: Self.lengthLimit) }
        if scope == .wholeLine, let offset = JSONBytes.firstInvalidUTF8(in: line) { throw BadLine(.invalidUTF8, at: offset) }
        return try Self.scanAnyLayout(line)
    }

    /// Reads the head of a line in any JSON layout, and checks the whole line except its UTF-8.
    static func scanAnyLayout(_ line: UnsafeRawBufferPointer) throws(BadLine) -> EventLine {
        var cursor = JSONCursor(line)
        cursor.skipWhiteSpace()
        guard cursor.byte != nil else { throw BadLine(.empty, at: 0) }
        var found = FoundKeys()
        try cursor.forEachEntry { key, value in
            if key.hasEscapes {
                Array(key.string(in: line).utf8).withUnsafeBytes { found.note(value, for: $0) }
            } else {
                found.note(value, for: key.bytes(in: line))
            }
        }
        cursor.skipWhiteSpace()
        guard cursor.byte == nil else { throw cursor.failure(.endOfLine) }
        return try found.event(of: line)
    }
}
