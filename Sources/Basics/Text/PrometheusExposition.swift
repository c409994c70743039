/// Samples in Prometheus' text exposition format 0.0.4: those of one family stand together, in whatever order they come.
package struct PrometheusExposition {
    private var families: [(name: String, text: String)] = []

    package init() {}

    package var text: String { families.map(\.text).joined() }

    /// Begins a family, unless there is one of this name.
    package mutating func begin(_ name: String, _ kind: String, _ help: String) {
        if families.contains(where: { $0.name == name }) { return }
        families.append((name, "# HELP \(name) \(Self.escaped(help, andQuotes: false))\n# TYPE \(name) \(kind)\n"))
    }

    /// Adds a sample to a family that has begun.
    ///
    /// - Parameter labels: as ``labels(_:)`` writes them.
    package mutating func add(_ value: some CustomStringConvertible, to family: String, suffix: String = "", _ labels: String) {
        guard let index = families.firstIndex(where: { $0.name == family }) else { return }
        families[index].text += "\(family)\(suffix)\(labels.isEmpty ? "" : "{\(labels)}") \(value)\n"
    }

    /// `a="x",b="y"`, with quotes, backslashes and line feeds escaped.
    package static func labels(_ labels: [(String, String)]) -> String {
        labels.map { "\($0.0)=\"\(escaped($0.1, andQuotes: true))\"" }.joined(separator: ",")
    }

    /// The format escapes only these characters.
    private static func escaped(_ text: String, andQuotes: Bool) -> String {
        text.replacingScalars { $0 == "\n" ? #"\n"# : $0 == "\\" || andQuotes && $0 == "\"" ? "\\\($0)" : nil }
    }
}
