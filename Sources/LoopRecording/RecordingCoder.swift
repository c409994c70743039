/// How values become text in a recording, and values again.
///
/// ```swift
/// let events = RecordingCoder<ShopEvent>(
///     encode: { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) },
///     decode: { try JSONDecoder().decode(ShopEvent.self, from: Data($0.utf8)) })
/// ```
/// This package has no coder of its own: which one is right, and whether sensitive values may be in a recording, the app knows.
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

extension RecordingCoder where Value: LosslessStringConvertible & SendableMetatype {
    /// For types that are text already, such as numbers.
    public static var text: RecordingCoder {
        RecordingCoder(
            encode: { $0.description },
            decode: { text throws(RecordingTextError) in
                guard let value = Value(text) else { throw RecordingTextError(text: text, type: "\(Value.self)") }
                return value
            })
    }
}

/// A text in a recording that does not spell a value of the type.
struct RecordingTextError: Error, CustomStringConvertible {
    let text: String
    let type: String

    var description: String { "\"\(text)\" is no \(type)" }
}
