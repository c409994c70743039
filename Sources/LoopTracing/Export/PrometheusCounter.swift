/// A counter of another part of the program, exported beside the loop's.
///
/// ```swift
/// PrometheusCounter("shop_lines_dropped_total", "Lines that did not reach the file.", writer.statistics.dropped)
/// ```
public struct PrometheusCounter: Sendable, Hashable {
    /// A valid Prometheus name: other characters became `_`, and it ends in `_total`.
    let name: String
    /// One sentence.
    let help: String
    let value: UInt64
    /// Sorted by name.
    let labels: [PrometheusLabel]

    /// - Parameters:
    ///   - name: letters, digits and `_`. `_total` is appended if it is missing.
    ///   - help: one sentence.
    ///   - value: must only rise while the process lives; below 0 counts as 0.
    ///   - labels: by name. Two counters of one name need different labels.
    public init(_ name: String, _ help: String, _ value: some BinaryInteger, labels: [String: String] = [:]) {
        let plain = PrometheusLabel.name(name)
        self.name = plain.hasSuffix("_total") ? plain : plain + "_total"
        self.help = help
        self.value = UInt64(clamping: value)
        self.labels = labels.map { PrometheusLabel(key: PrometheusLabel.name($0.key), value: $0.value) }.sorted { $0.key < $1.key }
    }
}

/// A label of a metric: a valid Prometheus name, and any text.
struct PrometheusLabel: Sendable, Hashable {
    let key: String
    let value: String

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
