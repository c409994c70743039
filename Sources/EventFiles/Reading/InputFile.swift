/// One thing to read: a file, or standard input.
public struct InputFile: Sendable, Hashable {
    /// The path as it was given or found; `-` for standard input.
    public var path: String
    /// What it was when it was listed; `nil` for pipes.
    var status: FileStatus?
    /// Whether it was named itself. What was found in a folder or by a pattern may be sealed or removed when its turn comes.
    var wasNamed = true
    /// Where to look if it is gone.
    var sealedPath: String?

    /// Bytes as they lie when it was listed; `nil` for pipes.
    public var bytes: Int64? { status?.bytes }

    package var isStandardInput: Bool { path == "-" }
}
