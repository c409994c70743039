extension EventLineScanner {
    /// Reads the head of a line in any JSON layout, and checks the whole line except its UTF-8.
    static func scanAnyLayout(_ line: UnsafeRawBufferPointer) throws(BadLine) -> EventLine {
        var cursor = JSONCursor(line)
        cursor.skipWhiteSpace()
        guard cursor.byte != nil else { throw BadLine(.empty, at: 0) }
        var found = FoundKeys()
        try cursor.forEachEntry { key, value in
            if let known = knownKey(key, in: line) { found.note(value, for: known) }
        }
        cursor.skipWhiteSpace()
        guard cursor.byte == nil else { throw cursor.failure(.endOfLine) }
        return try found.event(of: line)
    }

    private static func knownKey(_ key: LineText, in line: UnsafeRawBufferPointer) -> EventLine.Key? {
        if key.hasEscapes { return EventLine.Key(rawValue: key.string(in: line)) }
        let offset = key.range.lowerBound
        func matches(_ literal: StaticString, _ known: EventLine.Key) -> EventLine.Key? {
            JSONBytes.matches(literal, in: line, at: offset) ? known : nil
        }
        return switch key.range.count {
        case 1: matches("v", .version)
        case 2: matches("id", .id)
        case 3: matches("seq", .sequence)
        case 4: matches("t_ms", .time) ?? matches("name", .name) ?? matches("user", .user) ?? matches("type", .type)
        case 5: matches("props", .properties)
        case 6: matches("system", .system)
        case 7: matches("session", .session)
        default: nil
        }
    }
}
