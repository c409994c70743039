/// Paths into JSON (RFC 6901).
enum JSONPointer {
    static func escaped(_ key: String) -> String {
        guard key.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return key }
        return key.reduce(into: "") { $0 += $1 == "~" ? "~0" : $1 == "/" ? "~1" : String($1) }
    }

    /// The keys of a path; `nil` for a text that is none.
    static func keys(of path: String) -> [String]? {
        if path.isEmpty { return [] }
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        return path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { token in
            guard token.utf8.contains(UInt8(ascii: "~")) else { return String(token) }
            // In this order: `~01` stands for `~1`.
            return token.split(separator: "~1", omittingEmptySubsequences: false)
                .map { $0.split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~") }.joined(separator: "/")
        }
    }
}
