/// How values become text in a recording, and values again.
///
/// ```swift
/// let events = RecordingCoder<ShopEvent>(
///     encode: { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) },
///     decode: { try JSONDecoder().decode(ShopEvent.self, from: Data($0.utf8)) })
/// ```
/// Which coder is right, and whether sensitive values may be in a recording, the app knows.
public struct RecordingCoder<Value>: Sendable {
    let encode: @Sendable (Value) throws -> String
    let decode: @Sendable (String) throws -> Value

    /// - Parameters:
    ///   - encode: a value as text, of any characters; equal values should give equal texts.
    ///   - decode: the other way.
    public init(encode: @escaping @Sendable (Value) throws -> String, decode: @escaping @Sendable (String) throws -> Value) {
        self.encode = encode
        self.decode = decode
    }
}
