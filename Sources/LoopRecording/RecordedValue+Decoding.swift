/// Makes values from recorded trees. It is the container of a single value, too.
struct ValueDecoder: Decoder, SingleValueDecodingContainer {
    let value: RecordedValue
    var codingPath: [any CodingKey] = []
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let object = value.container, let keys = object.keys else { throw mismatch("an object") }
        return KeyedDecodingContainer(Keyed(decoder: self, object: object, allKeys: keys.compactMap { Key(stringValue: $0) }))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let array = value.container, array.keys == nil else { throw mismatch("an array") }
        return Unkeyed(decoder: self, values: array.values)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    fileprivate func inside(_ value: RecordedValue, _ key: any CodingKey) -> ValueDecoder {
        ValueDecoder(value: value, codingPath: codingPath + [key])
    }

    private func mismatch(_ expected: String) -> DecodingError {
        .typeMismatch(
            RecordedValue.self, .init(codingPath: codingPath, debugDescription: "expected \(expected), found \(value.json.prefix(80))"))
    }

    func decodeNil() -> Bool { value == .null }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let leaf = type as? any RecordedLeaf.Type else { return try Value(from: self) }
        guard let known = leaf.init(recorded: value) as? Value else { throw mismatch("\(type)") }
        return known
    }
}

/// The generic functions serve for every type that a container gives.
private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ValueDecoder
    let object: RecordedContainer
    let allKeys: [Key]

    var codingPath: [any CodingKey] { decoder.codingPath }

    func contains(_ key: Key) -> Bool { object.index(of: key.stringValue, near: 0) != nil }

    private func part(_ key: any CodingKey) throws -> ValueDecoder {
        guard let value = object.value(of: key.stringValue, near: 0) else {
            throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "no key \"\(key.stringValue)\""))
        }
        return decoder.inside(value, key)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try part(key).decodeNil() }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try part(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
        try part(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try part(key).unkeyedContainer() }
    func superDecoder() throws -> any Decoder { try part("super".codingKey) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try part(key) }
}

private struct Unkeyed: UnkeyedDecodingContainer {
    let decoder: ValueDecoder
    let values: [RecordedValue]
    var currentIndex = 0

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex >= values.count }

    /// Reads the next element, and goes on to the one after it unless reading fails.
    private mutating func next<Value>(_ read: (ValueDecoder) throws -> Value) throws -> Value {
        let key = currentIndex.codingKey
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                RecordedValue.self, .init(codingPath: codingPath + [key], debugDescription: "the array has ended"))
        }
        let value = try read(decoder.inside(values[currentIndex], key))
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool { try !isAtEnd && values[currentIndex] != .null ? false : next { $0.decodeNil() } }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next { try $0.decode(type) } }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        try next { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next { try $0.unkeyedContainer() } }
    mutating func superDecoder() throws -> any Decoder { try next { $0 } }
}
