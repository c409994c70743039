/// Shows two long texts from a little before their first difference.
enum TextDifference {
    /// Scalars shown before the difference.
    private static let lead = 12

    static func texts(_ old: String, _ new: String, limit: Int) -> (old: String, new: String) {
        if old.utf8.count <= limit && new.utf8.count <= limit { return (quoted(old, limit), quoted(new, limit)) }
        let common = zip(old.utf8, new.utf8).lazy.prefix { $0 == $1 }.reduce(0) { count, _ in count + 1 }
        guard common > lead else { return (quoted(old, limit), quoted(new, limit)) }
        return (rest(of: old, from: common, limit), rest(of: new, from: common, limit))
    }

    private static func quoted(_ text: String, _ limit: Int) -> String { ValueWriter.text(of: text, limit: limit, isNested: true) }

    private static func rest(of text: String, from common: Int, _ limit: Int) -> String {
        // The view of scalars rounds an index down to where a scalar begins.
        var start = text.utf8.index(text.startIndex, offsetBy: common)
        start = text.unicodeScalars.index(start, offsetBy: -lead, limitedBy: text.startIndex) ?? text.startIndex
        return "…" + quoted(String(text.unicodeScalars[start...].prefix(limit + 1).map(Character.init)), limit)
    }
}
