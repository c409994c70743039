/// A column of a Parquet file. Any value of it may be missing.
package struct ParquetColumn: Sendable, Hashable {
    /// What the values are.
    package enum Kind: Sendable, Hashable, CaseIterable {
        case int32
        case int64
        case double
        /// True or false.
        case flag
        /// UTF-8.
        case text
    }

    package let name: String
    package let kind: Kind

    package init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

extension ParquetColumn.Kind {
    /// The format's number of the physical type.
    var physicalType: Int64 {
        switch self {
        case .flag: 0
        case .int32: 1
        case .int64: 2
        case .double: 5
        case .text: 6
        }
    }

    init?(physicalType: Int64) {
        guard let kind = Self.allCases.first(where: { $0.physicalType == physicalType }) else { return nil }
        self = kind
    }

    /// Bytes of a value in the encoding `PLAIN`; 0 where they differ, or are fewer than one.
    var plainBytes: Int {
        switch self {
        case .int32: 4
        case .int64, .double: 8
        case .flag, .text: 0
        }
    }
}
