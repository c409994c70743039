import Basics

/// The secret of ``SensitivityPolicy/hash(_:)``. Printing, dumping and errors never show it.
///
/// Whoever has the key can find values by trying, mail addresses for instance. Keep it with your other secrets, not beside the files.
public struct HashingKey: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// A shorter key could be guessed by trying.
    static let minBytes = 16

    private let hash: HMACSHA256

    /// A key of random bytes: at least 16, best 32, the length of the hash. Fewer than 16 throw.
    public init(_ bytes: [UInt8]) throws(HashingKeyError) {
        if bytes.count < Self.minBytes { throw .tooShort(bytes: bytes.count) }
        hash = HMACSHA256(key: bytes)
    }

    /// A key from the UTF-8 of a text, such as an environment variable. Fewer than 16 bytes throw.
    public init(_ text: String) throws(HashingKeyError) { try self.init(Array(text.utf8)) }

    /// Appends the HMAC-SHA256 of a message as 64 hexadecimal digits.
    func appendCode(of message: UnsafeRawBufferPointer, to bytes: ByteBuffer) {
        bytes.reserve(64)
        let code = hash.code(of: message)
        for index in stride(from: 0, to: 32, by: 2) {
            Hexadecimal.write(UInt16(code[index]) << 8 | UInt16(code[index + 1]), to: bytes.base + bytes.count)
            bytes.advance(by: 4)
        }
    }

    public var description: String { "HashingKey(secret)" }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// Why bytes cannot be a ``HashingKey``.
public enum HashingKeyError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The key has this many bytes, too few.
    case tooShort(bytes: Int)

    public var description: String {
        switch self {
        case .tooShort(let bytes):
            "A key of \(bytes) bytes can be guessed: use at least \(HashingKey.minBytes), best 32 random ones (openssl rand -hex 32)."
        }
    }
}
