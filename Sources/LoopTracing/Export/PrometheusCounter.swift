/// A counter of another part of the program, told beside the loop's.
///
/// ```swift
/// PrometheusCounter("shop_lines_dropped_total", "Lines that did not reach the file.", writer.statistics.dropped)
/// ```
public struct PrometheusCounter: Sendable, Hashable {
    /// What Prometheus takes for a name; other characters became `_`, and `_total` stands at the end.
    public let name: String
    /// One sentence.
    public let help: String
    public let value: UInt64
    /// Sorted by name.
    public let labels: [PrometheusLabel]

    /// - Parameters:
    ///   - name: letters, digits and `_`, by custom ending in `_total`, which is added where it is missing.
    ///   - help: one sentence.
    ///   - value: what only rises while the process lives; below 0 counts as 0.
    ///   - labels: by name; no two counters of one name may have the same.
    public init(_ name: String, _ help: String, _ value: some BinaryInteger, labels: [String: String] = [:]) {
        let plain = PrometheusLabel.name(name)
        self.name = plain.hasSuffix("_total") ? plain : plain + "_total"
        self.help = help
        self.value = UInt64(clamping: value)
        self.labels = labels.map { PrometheusLabel(key: PrometheusLabel.name($0.key), value: $0.value) }.sorted { $0.key < $1.key }
    }
}

/// A label of a metric: a name that Prometheus takes, and any text.
public struct PrometheusLabel: Sendable, Hashable {
    public let key: String
    public let value: String

    /// `a="x",b="y"`, with what ends a value or a line escaped.
    static func list(_ labels: [(String, String)]) -> String {
        labels.map { "\($0.0)=\"\(escaped($0.1, andQuotes: true))\"" }.joined(separator: ",")
    }

    static func help(_ text: String) -> String { escaped(text, andQuotes: false) }

    /// Only these are escaped: the format takes all other characters as they are.
    private static func escaped(_ text: String, andQuotes: Bool) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped.append(contentsOf: #"\\"#.unicodeScalars)
            case "\n": escaped.append(contentsOf: #"\n"#.unicodeScalars)
            case "\"" where andQuotes: escaped.append(contentsOf: #"\""#.unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    /// Letters, digits and `_`, no digit first; other characters become `_`.
    static func name(_ text: String) -> String {
        let name = String(
            text.unicodeScalars.map { scalar -> Character in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "_": Character(scalar)
                default: "_"
                }
            })
        guard let first = name.first, !("0"..."9").contains(first) else { return "_" + name }
        return name
    }
}
