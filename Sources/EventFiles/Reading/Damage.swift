/// Damage in a file: bytes that cannot be used, a line that is too long, or a missing end.
public struct Damage: Sendable, Hashable, CustomStringConvertible {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A member whose compressed data, CRC or sizes are wrong.
        case member
        /// A member that the end of the file cuts.
        case cut
        /// Bytes that belong to no member, zeros too.
        case foreignBytes
        /// A blocked file not named `.open` that does not end with the empty member: cut between members. Or an empty file named `.gz`.
        case missingEnd
        /// A line longer than ``EventFileReader/lineLimit``.
        case longLine
    }

    public var kind: Kind
    /// Where it begins, as an offset in the file. For a long line: where its member begins, or in a plain file the line itself.
    public var byteOffset: Int64
    /// How many bytes of the file could not be used. For a long line: the bytes of the line.
    public var bytes: Int64
    /// What was found and what became of it, in words.
    public var message: String

    static func longLine(at offset: Int64, bytes: Int64) -> Damage {
        let message = "a line of \(bytes) bytes, longer than the \(EventFileReader.lineLimit) that a line may have, was passed over"
        return Damage(kind: .longLine, byteOffset: offset, bytes: bytes, message: message)
    }

    public var description: String { "byte \(byteOffset): \(message)" }
}
