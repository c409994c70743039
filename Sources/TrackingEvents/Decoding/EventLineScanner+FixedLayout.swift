extension EventLineScanner {
    /// Reads the head of a line in the writers' layout by position; `nil` if the strict parser must read it, as in another layout.
    @inline(__always)
    static func scanFixedLayout(_ line: UnsafeRawBufferPointer) -> EventLine? {
        guard line.count <= lengthLimit else { return nil }
        let hasVersion = JSONBytes.matches(#"{"v":1,"t_ms":"#, in: line, at: 0)
        guard hasVersion || JSONBytes.matches(#"{"t_ms":"#, in: line, at: 0) else { return nil }
        var offset = hasVersion ? 14 : 8
        guard let time = wholeNumber(in: line, at: &offset), JSONBytes.matches(#","name":""#, in: line, at: offset) else { return nil }
        offset &+= 9
        guard let name = text(in: line, at: &offset), !name.isEmpty else { return nil }
        var event = EventLine(timeMilliseconds: time, name: name)
        guard take(#","user":""#, &event.user, in: line, at: &offset), take(#","session":""#, &event.session, in: line, at: &offset) else {
            return nil
        }
        if JSONBytes.matches(#","seq":"#, in: line, at: offset) {
            offset &+= 7
            guard let sequence = wholeNumber(in: line, at: &offset), sequence > 0 else { return nil }
            event.sequence = sequence
        }
        guard take(#","id":""#, &event.id, in: line, at: &offset) else { return nil }
        if JSONBytes.matches(#","type":"meta""#, in: line, at: offset) {
            offset &+= 14
            event.kind = .meta
        } else if JSONBytes.matches(#","type":"timing""#, in: line, at: offset) {
            offset &+= 16
            event.kind = .timing
        }
        guard take(#","system":""#, &event.system, in: line, at: &offset) else { return nil }
        if JSONBytes.matches(#","props":{"#, in: line, at: offset) {
            offset &+= 9
            guard endsWithObject(line, from: offset) else { return nil }
            event.properties = LineText(offset..<line.count &- 1)
            return event
        }
        return offset == line.count &- 1 && line[offset] == UInt8(ascii: "}") ? event : nil
    }

    /// Reads up to 15 digits without sign, fraction, exponent or leading zero: such a number is below 2⁵³.
    @inline(__always)
    private static func wholeNumber(in line: UnsafeRawBufferPointer, at offset: inout Int) -> Int64? {
        let start = offset
        // In nearly all lines 16 bytes can be loaded from where a number begins. The strict parser reads the others.
        guard offset &+ 16 <= line.count else { return nil }
        var (value, digits) = JSONBytes.leadingDigits(of: line.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        if digits == 8 {
            let (rest, more) = JSONBytes.leadingDigits(of: line.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self))
            if more == 8 { return nil }
            value = value &* JSONBytes.powerOfTen(more) &+ rest
            digits &+= more
        }
        if digits == 0 || digits > 1 && line[start] == UInt8(ascii: "0") { return nil }
        offset = start &+ digits
        return Int64(truncatingIfNeeded: value)
    }

    /// Reads the text of `key` if that key comes next; `false` if the text has escapes or does not end.
    @inline(__always)
    private static func take(_ key: StaticString, _ found: inout LineText, in line: UnsafeRawBufferPointer, at offset: inout Int) -> Bool {
        guard JSONBytes.matches(key, in: line, at: offset) else { return true }
        offset &+= key.utf8CodeUnitCount
        guard let text = text(in: line, at: &offset) else { return false }
        found = text
        return true
    }

    /// Reads a text without escapes, and moves past its closing quote.
    @inline(__always)
    private static func text(in line: UnsafeRawBufferPointer, at offset: inout Int) -> LineText? {
        let start = offset
        let end = JSONBytes.endOfPlainText(in: line, from: start)
        guard end < line.count, line[end] == UInt8(ascii: "\"") else { return nil }
        offset = end &+ 1
        return LineText(start..<end)
    }

    /// Whether `props` ends the line. If only closing braces follow the first one in `props`, and at least one does, then no key can come
    /// after `props`, and it need not be parsed.
    @inline(__always)
    private static func endsWithObject(_ line: UnsafeRawBufferPointer, from start: Int) -> Bool {
        guard let first = JSONBytes.first(UInt8(ascii: "}"), in: line, from: start), first < line.count &- 1 else { return false }
        let end = UnsafeRawBufferPointer(rebasing: line[first...])
        return end.allSatisfy { $0 == UInt8(ascii: "}") } || endsWithObjectCounted(line, from: start)
    }

    /// Whether the object that begins at `start` ends the line. Counts braces, for properties that hold objects.
    private static func endsWithObjectCounted(_ line: UnsafeRawBufferPointer, from start: Int) -> Bool {
        var depth = 0
        var offset = start
        while offset < line.count {
            switch line[offset] {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return offset == line.count - 2 && line[offset + 1] == UInt8(ascii: "}") }
            case UInt8(ascii: "\""):
                offset += 1
                while true {
                    offset = JSONBytes.endOfPlainText(in: line, from: offset)
                    guard offset < line.count else { return false }
                    if line[offset] == UInt8(ascii: "\"") { break }
                    offset += line[offset] == UInt8(ascii: "\\") ? 2 : 1
                }
            default: break
            }
            offset += 1
        }
        return false
    }
}
