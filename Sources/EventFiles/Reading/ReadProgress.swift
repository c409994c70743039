/// How far a reading has come.
public struct ReadProgress: Sendable, Hashable {
    /// How many bytes of the files are done.
    public var bytes: Int64
    /// Whole lines.
    public var lines: Int

    public init(bytes: Int64 = 0, lines: Int = 0) { (self.bytes, self.lines) = (bytes, lines) }
}
