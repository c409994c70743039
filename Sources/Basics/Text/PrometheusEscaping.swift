/// Texts of Prometheus' exposition format, escaped as it demands.
package enum PrometheusEscaping {
    /// `a="x",b="y"`, with quotes, backslashes and line feeds escaped.
    package static func labels(_ labels: [(String, String)]) -> String {
        labels.map { "\($0.0)=\"\(escaped($0.1, andQuotes: true))\"" }.joined(separator: ",")
    }

    /// A help text, of which quotes stay as they are.
    package static func help(_ text: String) -> String { escaped(text, andQuotes: false) }

    /// The format escapes only these characters.
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
}
