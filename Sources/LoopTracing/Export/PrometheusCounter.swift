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
    /// By valid names.
    let labels: [String: String]

    /// - Parameters:
    ///   - name: letters, digits and `_`. `_total` is appended if it is missing.
    ///   - help: one sentence.
    ///   - value: must only rise while the process lives; below 0 counts as 0.
    ///   - labels: by name. Two counters of one name need different labels.
    public init(_ name: String, _ help: String, _ value: some BinaryInteger, labels: [String: String] = [:]) {
        let plain = Self.valid(name)
        self.name = plain.hasSuffix("_total") ? plain : plain + "_total"
        self.help = help
        self.value = UInt64(clamping: value)
        self.labels = Dictionary(labels.sorted { $0.key < $1.key }.map { (Self.valid($0.key), $0.value) }) { first, _ in first }
    }

    /// Letters, digits and `_`, no digit first; other characters become `_`.
    private static func valid(_ text: String) -> String {
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
