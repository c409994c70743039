import Basics

/// Paths into JSON (RFC 6901).
enum JSONPointer {
    static func path(_ path: String, _ key: String) -> String { "\(path)/\(escaped(key))" }

    static func escaped(_ key: String) -> String { key.replacingScalars { $0 == "~" ? "~0" : $0 == "/" ? "~1" : nil } }

    /// The keys of a path; `nil` for a text that is no path.
    static func keys(of path: String) -> [String]? {
        if path.isEmpty { return [] }
        guard path.utf8.first == UInt8(ascii: "/") else { return nil }
        return split(path[...], at: "/").dropFirst().map { token in
            let parts = split(token, at: "~")
            return parts.dropFirst().reduce(into: String(parts[0])) { key, part in
                let escaped: String? = part.utf8.first == UInt8(ascii: "0") ? "~" : part.utf8.first == UInt8(ascii: "1") ? "/" : nil
                key += (escaped ?? "~") + Substring(part.utf8.dropFirst(escaped == nil ? 0 : 1))
            }
        }
    }

    /// Split at bytes, so that a combining mark after a slash does not hide the slash.
    static func split(_ text: Substring, at separator: Unicode.Scalar) -> [Substring] {
        text.utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false).map { Substring($0) }
    }
}
