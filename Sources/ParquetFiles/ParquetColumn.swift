/// A column of a Parquet file. Any value of it may be missing.
package struct ParquetColumn: Sendable, Hashable {
    /// What the values are, by the format's number of the physical type.
    package enum Kind: Int64, Sendable, Hashable, CaseIterable {
        case int32 = 1
        case int64 = 2
        case double = 5
        case flag = 0
        case text = 6

        /// The bytes of a value in the encoding `PLAIN`; 0 where their number varies, or is less than one.
        var plainBytes: Int {
            switch self {
            case .int32: 4
            case .int64, .double: 8
            case .flag, .text: 0
            }
        }
    }

    package let name: String
    package let kind: Kind

    package init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }
}
