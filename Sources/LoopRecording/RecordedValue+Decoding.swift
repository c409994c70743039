/// Makes values of recorded trees again.
struct ValueDecoder: Decoder {
    let value: RecordedValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func decode<Value: Decodable>(_ type: Value.Type = Value.self, from value: RecordedValue) throws -> Value {
        try ValueDecoder(value: value, codingPath: []).decode(type)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let object = value.container, let keys = object.keys else { throw mismatch("an object") }
        // A later key of the same name counts, as with most readers.
        let values = Dictionary(zip(keys, object.values)) { $1 }
        return KeyedDecodingContainer(Keyed(decoder: self, keys: keys, values: values))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let array = value.container, array.keys == nil else { throw mismatch("an array") }
        return Unkeyed(decoder: self, values: array.values)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

    fileprivate func inside(_ value: RecordedValue, _ key: any CodingKey) -> ValueDecoder {
        ValueDecoder(value: value, codingPath: codingPath + [key])
    }

    fileprivate var isNil: Bool { if case .null = value { true } else { false } }

    fileprivate func mismatch(_ expected: String) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: "expected \(expected), found \(value.json.prefix(80))")
        return .typeMismatch(RecordedValue.self, context)
    }

    fileprivate func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        func made<Known>(_ known: Known?) throws -> Value {
            guard let value = known as? Value else { throw mismatch("\(type)") }
            return value
        }
        switch type {
        case is String.Type: return try made(value.text)
        case is Bool.Type:
            guard case .bool(let truth) = value else { throw mismatch("true or false") }
            return try made(truth)
        case is Double.Type: return try made(number)
        case is Float.Type: return try made(number.map { Float($0) })
        case let integer as any (FixedWidthInteger & Decodable).Type where Self.isPlain(integer): return try made(whole(integer))
        default: return try Value(from: self)
        }
    }

    /// Whether it is one of the language's integers, and none of somebody's that codes itself.
    private static func isPlain(_ type: any FixedWidthInteger.Type) -> Bool {
        let known: [any FixedWidthInteger.Type] = [
            Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
        ]
        return known.contains { $0 == type }
    }

    private func whole<Known: FixedWidthInteger>(_: Known.Type) -> Known? {
        switch value {
        case .integer(let number): Known(exactly: number)
        case .unsigned(let number): Known(exactly: number)
        case .number(let number): Known(exactly: number)
        default: nil
        }
    }

    private var number: Double? {
        switch value {
        case .integer(let number): Double(number)
        case .unsigned(let number): Double(number)
        case .number(let number): number
        // JSON has no such numbers.
        case .text(let text) where ["nan", "inf", "-inf"].contains(text): Double(text)
        default: nil
        }
    }
}

/// The generic functions serve for every type that a container gives.
private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ValueDecoder
    let keys: [String]
    let values: [String: RecordedValue]

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }

    private func part(_ key: any CodingKey) throws -> ValueDecoder {
        guard let value = values[key.stringValue] else {
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "no key \"\(key.stringValue)\""))
        }
        return decoder.inside(value, key)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try part(key).isNil }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try part(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
        try part(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try part(key).unkeyedContainer() }
    func superDecoder() throws -> any Decoder { try part(RecordedKey(stringValue: "super")) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try part(key) }
}

private struct Unkeyed: UnkeyedDecodingContainer {
    let decoder: ValueDecoder
    let values: [RecordedValue]
    private(set) var currentIndex = 0

    init(decoder: ValueDecoder, values: [RecordedValue]) { (self.decoder, self.values) = (decoder, values) }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex >= values.count }

    private func current() throws -> ValueDecoder {
        let key = RecordedKey(intValue: currentIndex)
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                RecordedValue.self, .init(codingPath: codingPath + [key], debugDescription: "the array has ended"))
        }
        return decoder.inside(values[currentIndex], key)
    }

    mutating func decodeNil() throws -> Bool {
        let isNil = try current().isNil
        if isNil { currentIndex += 1 }
        return isNil
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try current().decode(type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        try superDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try superDecoder().unkeyedContainer() }

    mutating func superDecoder() throws -> any Decoder {
        let part = try current()
        currentIndex += 1
        return part
    }
}

private struct Single: SingleValueDecodingContainer {
    let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.isNil }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
}
