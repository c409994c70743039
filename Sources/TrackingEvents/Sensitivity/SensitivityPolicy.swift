/// What is written in place of a sensitive value. The value itself never reaches a file.
public enum SensitivityPolicy: Sendable, Equatable {
    /// The key is left out.
    case drop
    /// The key stays, its value is the text `***`.
    case mask
    /// The key stays, its value is the HMAC-SHA256 (RFC 2104) of the value in 64 hexadecimal digits: equal values can be told to be equal,
    /// and nobody without the key can find the value by trying.
    ///
    /// Of a text the UTF-8 is hashed, all of it; of a number, a truth or anything larger its JSON, uncut. `12` and `"12"` are therefore one.
    case hash(HashingKey)
}
