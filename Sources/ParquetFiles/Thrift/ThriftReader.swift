/// A value of Thrift's compact protocol. A missing field reads as ``other``, and so do types that are not needed here. A map is refused.
enum ThriftValue {
    case integer(Int64)
    /// Where the bytes of a text lie in those of the reader.
    case binary(Range<Int>)
    case structure([(number: Int16, value: ThriftValue)])
    /// The structures of a list; other elements are dropped.
    case list([ThriftValue])
    case other

    subscript(number: Int16) -> ThriftValue {
        guard case .structure(let fields) = self else { return .other }
        return fields.last { $0.number == number }?.value ?? .other
    }

    var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    var binary: Range<Int>? { if case .binary(let range) = self { range } else { nil } }
    var elements: [ThriftValue] { if case .list(let elements) = self { elements } else { [] } }
}

/// Reads Thrift's compact protocol. Every length is checked against the bytes that there are.
struct ThriftReader {
    private static let depthLimit = 16

    let bytes: UnsafeRawBufferPointer
    /// Where the bytes begin in the file, to say where an error is.
    let origin: Int64
    private(set) var offset = 0

    func malformed(_ message: String) -> ParquetError { ParquetError(.malformed, at: origin + Int64(offset), message) }

    mutating func structure(depth: Int = 0) throws(ParquetError) -> ThriftValue {
        var fields: [(number: Int16, value: ThriftValue)] = []
        var last: Int64 = 0
        while true {
            let head = try byte()
            if head == 0 { return .structure(fields) }
            last = head >> 4 == 0 ? try zigzag() : last + Int64(head >> 4)
            guard let number = Int16(exactly: last) else { throw malformed("the number of a field is out of range") }
            fields.append((number, try value(head & 0x0F, depth: depth + 1)))
        }
    }

    private mutating func value(_ type: UInt8, depth: Int) throws(ParquetError) -> ThriftValue {
        guard depth < Self.depthLimit else { throw malformed("fields are nested too deeply") }
        switch ThriftType(rawValue: type) {
        case .yes, .no: break
        case .byte: _ = try byte()
        case .int16, .int32, .int64: return .integer(try zigzag())
        case .double: _ = try advance(8)
        case .binary: return .binary(try advance(try length()))
        case .structure: return try structure(depth: depth)
        case .list, .set: return try list(depth: depth)
        case .map, nil: throw malformed("no such type of a field")
        }
        return .other
    }

    private mutating func list(depth: Int) throws(ParquetError) -> ThriftValue {
        let head = try byte()
        let count = head >> 4 == 15 ? try length() : Int(head >> 4)
        // An element takes at least one byte.
        guard count <= bytes.count - offset else { throw malformed("a list has more elements than bytes are left") }
        var elements: [ThriftValue] = []
        for _ in 0..<count {
            switch ThriftType(rawValue: head & 0x0F) {
            case .structure: elements.append(try structure(depth: depth + 1))
            // In a list a truth value takes a byte. As a field it takes none, because its type says which it is.
            case .yes, .no: _ = try byte()
            default: _ = try value(head & 0x0F, depth: depth + 1)
            }
        }
        return .list(elements)
    }

    private mutating func advance(_ count: Int) throws(ParquetError) -> Range<Int> {
        guard count <= bytes.count - offset else { throw malformed("the bytes end inside a field") }
        offset += count
        return offset - count..<offset
    }

    private mutating func byte() throws(ParquetError) -> UInt8 { bytes[try advance(1).lowerBound] }

    private mutating func zigzag() throws(ParquetError) -> Int64 {
        guard let number = bytes.zigzag(at: &offset) else { throw malformed("a number is cut off or longer than 64 bits") }
        return number
    }

    private mutating func length() throws(ParquetError) -> Int {
        guard let length = bytes.varint(at: &offset).flatMap({ Int(exactly: $0) }) else { throw malformed("a length is out of range") }
        return length
    }
}
