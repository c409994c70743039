extension EventLineScanner {
    /// Reads the head of a line by the positions of the writers' layout. `nil` means that the strict parser must decide: the line may be
    /// good in another layout.
    @inline(__always)
    static func scanFixedLayout(_ line: UnsafeRawBufferPointer) -> EventLine? {
        guard line.count <= lengthLimit else { return nil }
        var place: Int
        if JSONBytes.matches(#"{"v":1,"t_ms":"#, in: line, at: 0) {
            place = 14
        } else if JSONBytes.matches(#"{"t_ms":"#, in: line, at: 0) {
            place = 8
        } else {
            return nil
        }
        guard let time = wholeNumber(in: line, at: &place), JSONBytes.matches(#","name":""#, in: line, at: place) else { return nil }
        place &+= 9
        guard let name = text(in: line, at: &place), !name.isEmpty else { return nil }
        var event = EventLine(timeMilliseconds: time, name: name)
        if JSONBytes.matches(#","user":""#, in: line, at: place) {
            place &+= 9
            guard let user = text(in: line, at: &place) else { return nil }
            event.user = user
        }
        if JSONBytes.matches(#","session":""#, in: line, at: place) {
            place &+= 12
            guard let session = text(in: line, at: &place) else { return nil }
            event.session = session
        }
        if JSONBytes.matches(#","seq":"#, in: line, at: place) {
            place &+= 7
            guard let sequence = wholeNumber(in: line, at: &place), sequence > 0 else { return nil }
            event.sequence = sequence
        }
        if JSONBytes.matches(#","id":""#, in: line, at: place) {
            place &+= 7
            guard let id = text(in: line, at: &place) else { return nil }
            event.id = id
        }
        if JSONBytes.matches(#","type":"meta""#, in: line, at: place) {
            place &+= 14
            event.kind = .meta
        } else if JSONBytes.matches(#","type":"timing""#, in: line, at: place) {
            place &+= 16
            event.kind = .timing
        }
        if JSONBytes.matches(#","system":""#, in: line, at: place) {
            place &+= 11
            guard let system = text(in: line, at: &place) else { return nil }
            event.system = system
        }
        if JSONBytes.matches(#","props":{"#, in: line, at: place) {
            place &+= 9
            guard endsWithObject(line, from: place) else { return nil }
            event.properties = LineText(place..<line.count &- 1)
            return event
        }
        return place == line.count &- 1 && line[place] == UInt8(ascii: "}") ? event : nil
    }

    /// Digits without sign, fraction, exponent or leading zero, up to 15 of them, which keeps below 2⁵³.
    @inline(__always)
    private static func wholeNumber(in line: UnsafeRawBufferPointer, at place: inout Int) -> Int64? {
        let start = place
        // Lines end at least 16 bytes after a number begins. The strict parser reads the odd ones that do not.
        guard place &+ 16 <= line.count else { return nil }
        var (value, digits) = JSONBytes.leadingDigits(of: line.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        if digits == 8 {
            let (rest, more) = JSONBytes.leadingDigits(of: line.loadUnaligned(fromByteOffset: place &+ 8, as: UInt64.self))
            if more == 8 { return nil }
            value = value &* JSONBytes.powerOfTen(more) &+ rest
            digits &+= more
        }
        if digits == 0 || digits > 1 && line[start] == UInt8(ascii: "0") { return nil }
        place = start &+ digits
        return Int64(truncatingIfNeeded: value)
    }

    /// A text without escapes, up to and past its closing quote.
    @inline(__always)
    private static func text(in line: UnsafeRawBufferPointer, at place: inout Int) -> LineText? {
        let start = place
        let end = JSONBytes.endOfPlainText(in: line, from: start)
        guard end < line.count, line[end] == UInt8(ascii: "\"") else { return nil }
        place = end &+ 1
        return LineText(start..<end)
    }

    /// Whether the line ends in at least two closing braces that begin with the first one in `props`. Then no key can follow
    /// `props`, and the head is complete without parsing `props`.
    @inline(__always)
    private static func endsWithObject(_ line: UnsafeRawBufferPointer, from start: Int) -> Bool {
        guard let first = JSONBytes.first(UInt8(ascii: "}"), in: line, from: start), first < line.count &- 1 else { return false }
        var place = first
        while place < line.count {
            if line[place] != UInt8(ascii: "}") { return endsWithObjectCounted(line, from: start) }
            place &+= 1
        }
        return true
    }

    /// Whether the object that begins here ends the line: counts braces, for properties with braces in the middle.
    private static func endsWithObjectCounted(_ line: UnsafeRawBufferPointer, from start: Int) -> Bool {
        var depth = 0
        var place = start
        while place < line.count {
            switch line[place] {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return place == line.count - 2 && line[place + 1] == UInt8(ascii: "}") }
            case UInt8(ascii: "\""):
                place += 1
                while true {
                    place = JSONBytes.endOfPlainText(in: line, from: place)
                    guard place < line.count else { return false }
                    if line[place] == UInt8(ascii: "\"") { break }
                    place += line[place] == UInt8(ascii: "\\") ? 2 : 1
                }
            default: break
            }
            place += 1
        }
        return false
    }
}
