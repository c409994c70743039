/// A counter of another part of the program, exported beside the loop's: see <doc:Exporting>.
public struct PrometheusCounter: Sendable, Hashable {
    let name: String
    let help: String
    let value: UInt64
    let labels: [String: String]

    /// - Parameters:
    ///   - name: letters, digits and `_`. `_total` is appended if it is missing.
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
        let name = String(text.unicodeScalars.map(Character.init).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return name.first?.isNumber ?? true ? "_" + name : name
    }
}
