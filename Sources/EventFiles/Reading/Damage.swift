/// Bytes of a file that do not hold what they should.
public struct Damage: Sendable, Hashable, CustomStringConvertible {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A member whose compressed data, CRC or sizes are wrong.
        case member
        /// A member that the end of the file cuts.
        case cut
        /// Bytes that belong to no member, zeros too.
        case foreignBytes
        /// A sealed file (one not named `.open`) in blocked framing that does not end with the empty member: cut between members.
        case missingEnd
        /// A line longer than ``EventFileReader/lineLimit``.
        case longLine
    }

    public var kind: Kind
    /// Where it begins, in bytes of the file as it lies. For a long line: its member, or in a plain file the line itself.
    public var byteOffset: Int64
    /// How many bytes of the file could not be used. For a long line: the bytes of the line.
    public var bytes: Int64
    /// For people: what was found and what became of it.
    public var message: String

    public var description: String { "byte \(byteOffset): \(message)" }
}
