/// Reads Thrift's compact protocol. Every length is checked against the bytes that there are.
struct ThriftReader {
    struct Field {
        let number: Int16
        let type: ThriftType
    }

    private static let depthLimit = 16

    let bytes: UnsafeRawBufferPointer
    /// Where in the file the bytes begin.
    let origin: Int64
    private(set) var offset = 0

    func malformed(_ message: String) -> ParquetError { ParquetError(.malformed, at: origin + Int64(offset), message) }

    /// Passes each field of a structure to `body`, which reads it or skips it.
    mutating func forEachField(_ body: (inout ThriftReader, Field) throws(ParquetError) -> Void) throws(ParquetError) {
        var last: Int16 = 0
        while let field = try field(after: &last) { try body(&self, field) }
    }

    private mutating func field(after last: inout Int16) throws(ParquetError) -> Field? {
        let head = try byte()
        if head == 0 { return nil }
        guard let type = ThriftType(rawValue: head & 0x0F) else { throw malformed("no such type of a field") }
        let step = Int16(head >> 4)
        if step == 0 {
            guard let number = Int16(exactly: try zigzag()) else { throw malformed("the number of a field is out of range") }
            last = number
        } else {
            let (number, overflow) = last.addingReportingOverflow(step)
            if overflow { throw malformed("the number of a field is out of range") }
            last = number
        }
        return Field(number: last, type: type)
    }

    /// A number of 16, 32 or 64 bits.
    mutating func integer(_ field: Field) throws(ParquetError) -> Int64 {
        switch field.type {
        case .int16, .int32, .int64: return try zigzag()
        default: throw malformed("field \(field.number) is no number")
        }
    }

    mutating func binary(_ field: Field) throws(ParquetError) -> Range<Int> {
        guard field.type == .binary else { throw malformed("field \(field.number) is no text") }
        return try binary()
    }

    mutating func text(_ field: Field) throws(ParquetError) -> String {
        let range = try binary(field)
        return String(decoding: bytes[range], as: UTF8.self)
    }

    mutating func structure(_ field: Field, _ body: (inout ThriftReader, Field) throws(ParquetError) -> Void) throws(ParquetError) {
        guard field.type == .structure else { throw malformed("field \(field.number) is no structure") }
        try forEachField(body)
    }

    /// Calls `element` before each element of a list of structures, and `body` with each of its fields.
    mutating func structures(_ field: Field, element: (inout ThriftReader) throws(ParquetError) -> Void) throws(ParquetError) {
        for _ in 0..<(try count(of: field, .structure)) { try element(&self) }
    }

    mutating func texts(_ field: Field) throws(ParquetError) -> [String] {
        var texts: [String] = []
        for _ in 0..<(try count(of: field, .binary)) {
            let range = try binary()
            texts.append(String(decoding: bytes[range], as: UTF8.self))
        }
        return texts
    }

    private mutating func count(of field: Field, _ expected: ThriftType) throws(ParquetError) -> Int {
        guard field.type == .list else { throw malformed("field \(field.number) is no list") }
        let (type, count) = try listHead()
        guard count == 0 || type == expected else { throw malformed("field \(field.number) is a list of something else") }
        return count
    }

    private mutating func listHead() throws(ParquetError) -> (ThriftType?, Int) {
        let head = try byte()
        let count = head >> 4 == 15 ? try length() : Int(head >> 4)
        // An element takes a byte at least.
        guard count <= bytes.count - offset else { throw malformed("a list is longer than the file") }
        return (ThriftType(rawValue: head & 0x0F), count)
    }

    mutating func skip(_ field: Field) throws(ParquetError) { try skip(field.type, depth: 0) }

    private mutating func skip(_ type: ThriftType, depth: Int) throws(ParquetError) {
        guard depth < Self.depthLimit else { throw malformed("fields are nested too deeply") }
        switch type {
        case .yes, .no: break
        case .byte: _ = try byte()
        case .int16, .int32, .int64: _ = try zigzag()
        case .double: try advance(8)
        case .binary: _ = try binary()
        case .structure:
            var last: Int16 = 0
            while let field = try field(after: &last) { try skip(field.type, depth: depth + 1) }
        case .list, .set:
            let (element, count) = try listHead()
            guard count > 0 else { return }
            guard let element else { throw malformed("no such type of a list") }
            for _ in 0..<count {
                // In a list a truth value takes a byte.
                if element == .yes || element == .no { _ = try byte() } else { try skip(element, depth: depth + 1) }
            }
        case .map: throw malformed("a map, which the format does not have")
        }
    }

    private mutating func advance(_ count: Int) throws(ParquetError) {
        guard count <= bytes.count - offset else { throw malformed("the bytes end inside a field") }
        offset += count
    }

    private mutating func byte() throws(ParquetError) -> UInt8 {
        guard offset < bytes.count else { throw malformed("the bytes end inside a structure") }
        offset += 1
        return bytes[offset - 1]
    }

    private mutating func zigzag() throws(ParquetError) -> Int64 {
        guard let number = bytes.zigzag(at: &offset) else { throw malformed("a number that the bytes do not hold") }
        return number
    }

    private mutating func length() throws(ParquetError) -> Int {
        guard let length = bytes.varint(at: &offset).flatMap({ Int(exactly: $0) }) else { throw malformed("a length is out of range") }
        return length
    }

    private mutating func binary() throws(ParquetError) -> Range<Int> {
        let length = try length()
        guard length <= bytes.count - offset else { throw malformed("a text is longer than the file") }
        offset += length
        return offset - length..<offset
    }
}
