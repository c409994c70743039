/// One thing to read: a file, or standard input.
public struct InputFile: Sendable, Hashable {
    /// The path as it was given or found; `-` for standard input.
    public var path: String
    /// Its status when it was listed; `nil` for pipes and standard input.
    var status: FileStatus?
    /// Whether the caller named it. If it was found in a folder or by a pattern instead, it may be sealed or removed before it is read.
    var wasNamed = true
    /// The path to try if it is gone.
    var sealedPath: String?

    /// Its size in bytes when it was listed; `nil` for pipes and standard input.
    public var bytes: Int64? { status?.bytes }

    package var isStandardInput: Bool { path == "-" }
}
