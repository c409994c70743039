extension EventLineScanner {
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
