/// How far a reading has come.
public struct ReadProgress: Sendable, Hashable {
    /// Bytes that are done, as they lie in the files.
    public var bytes: Int64
    /// Whole lines.
    public var lines: Int

    public init(bytes: Int64 = 0, lines: Int = 0) { (self.bytes, self.lines) = (bytes, lines) }
}
