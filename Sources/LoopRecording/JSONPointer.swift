/// Paths into JSON (RFC 6901).
enum JSONPointer {
    static func path(_ path: String, _ key: String) -> String { "\(path)/\(escaped(key))" }

    static func escaped(_ key: String) -> String {
        guard key.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return key }
        return key.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    /// The keys of a path; `nil` for a text that is no path.
    static func keys(of path: String) -> [String]? {
        if path.isEmpty { return [] }
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        return path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { token in
            // In this order: `~01` stands for `~1`.
            String(token.utf8.contains(UInt8(ascii: "~")) ? token.replacing("~1", with: "/").replacing("~0", with: "~") : token)
        }
    }
}
