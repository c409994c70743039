/// What is written instead of a sensitive value. The value itself never reaches a file.
public enum SensitivityPolicy: Sendable, Equatable {
    /// The key is left out.
    case drop
    /// The key stays, its value is the text `***`.
    case mask
    /// The key stays, its value is the HMAC-SHA256 (RFC 2104) of the value in 64 hexadecimal digits: equal values have equal codes,
    /// and nobody without the key can find the value by trying.
    ///
    /// A text is hashed as its whole UTF-8, any other value as its whole JSON. So `12` and `"12"` have the same code.
    case hash(HashingKey)
}
