/// A column of a Parquet file. Any value of it may be missing.
package struct ParquetColumn: Sendable, Hashable {
    /// The kind of the values. The raw value is the format's number of the physical type.
    package enum Kind: Int64, Sendable, Hashable, CaseIterable {
        case int32 = 1, int64 = 2, double = 5, flag = 0, text = 6

        /// The size of a value in the encoding `PLAIN`, in bytes; 0 if it varies, or is less than one byte.
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
