/// How a file holds its lines; found from its content, never from its name.
public enum FileFraming: String, Sendable, Hashable, CaseIterable {
    /// Blocked gzip (BGZF), as this package writes it.
    case blocked
    /// Ordinary gzip of one or many members.
    case gzip
    /// Lines as they are.
    case plain
    /// No bytes at all.
    case empty
    /// Nothing that could be recognised; all of it stands as damage.
    case unknown
}
