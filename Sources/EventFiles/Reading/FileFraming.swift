/// How a file holds its lines; found from its contents, never from its name alone.
public enum FileFraming: String, Sendable, Hashable, CaseIterable {
    /// Blocked gzip (BGZF), as this package writes it.
    case blocked
    /// Ordinary gzip of one or many members.
    case gzip
    /// Lines as they are.
    case plain
    /// No bytes at all.
    case empty
    /// Nothing that could be recognised: all of it is reported as damage.
    case unknown
}
