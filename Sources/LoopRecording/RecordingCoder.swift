/// How values become text in a recording, and values again.
///
/// ```swift
/// let events = RecordingCoder<ShopEvent>(
///     encode: { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) },
///     decode: { try JSONDecoder().decode(ShopEvent.self, from: Data($0.utf8)) })
/// ```
/// The app knows which coder is right, and whether sensitive values may be in a recording.
///
/// `@unchecked Sendable`: functions that are passed in are `Sendable`, and those of this module hold types alone.
public struct RecordingCoder<Value>: @unchecked Sendable {
    /// What the head of a recording calls it.
    let name: String
    /// Makes a tree by an encoding that knows what is hidden. Takes over equal parts from the tree of the value before.
    let encode: (Value, RecordingEncoding, RecordedValue?) throws -> RecordedValue
    let decode: (RecordedValue) throws -> Value
}

extension RecordingCoder {
    /// - Parameters:
    ///   - encode: a value as text, of any characters; equal values should give equal texts.
    ///   - decode: the other way.
    public init(encode: @escaping @Sendable (Value) throws -> String, decode: @escaping @Sendable (String) throws -> Value) {
        self.init(
            name: "coded", encode: { value, encoding, _ in encoding.hiding(RecordedValue(coded: try encode(value))) },
            decode: { try decode($0.text ?? $0.json) })
    }
}

extension RecordingCoder where Value: Codable {
    static var json: RecordingCoder {
        RecordingCoder(name: "json", encode: { try $1.encode($0, instead: $2) }, decode: { try ValueDecoder(value: $0).decode(Value.self) })
    }
}

extension RecordedValue {
    /// A coder's text. The JSON of an object or an array becomes a tree; any other text stays a text, which the coder takes back.
    init(coded text: String) { self = RecordedValue.parse(text).flatMap { $0.container == nil ? nil : $0 } ?? .text(text) }
}
