import Basics
package import ParquetFiles

/// A property with a column of its own: its path, and what its values are. A property with values of several kinds has a column for each,
/// so that a column has the same type in all files.
package struct SummaryLeaf: Sendable, Hashable {
    /// What stands behind the path in a column's name.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A number with a point or an exponent.
        case number
        case integer
        case text
        case flag

        package var column: ParquetColumn.Kind {
            switch self {
            case .number: .double
            case .integer: .int64
            case .text: .text
            case .flag: .flag
            }
        }
    }

    static let maxCount = 256
    package static let maxNameBytes = 128

    package let path: [String]
    package let kind: Kind

    package init(path: [String], kind: Kind) { (self.path, self.kind) = (path, kind) }

    var column: ParquetColumn { ParquetColumn(columnName, kind.column) }

    /// `props_<path>_<kind>`. In the path `a`–`z`, `0`–`9` and `_` stay; any other byte is `$` and two hexadecimal digits, so that names
    /// which differ only in upper and lower case stay different where an engine ignores that. Levels are joined by `$_`.
    package var columnName: String {
        var name = "props_"
        for (level, key) in path.enumerated() {
            if level > 0 { name += "$_" }
            for byte in key.utf8 {
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    name.unicodeScalars.append(Unicode.Scalar(byte))
                default: name += "$" + Hexadecimal.text(UInt64(byte), digits: 2)
                }
            }
        }
        return name + "_" + kind.rawValue
    }
}

/// The columns of a summary that are always there, in this order; those of properties follow.
package enum SummaryColumn: String, Sendable, Hashable, CaseIterable {
    case version = "v"
    case time = "t_ms"
    case name
    case user
    case session
    case sequence = "seq"
    case id
    case type
    case system
    /// The JSON of all properties that have no column, null where nothing is left.
    case rest = "props_rest"

    /// The JSON of all properties as on the line, for those who ask for it.
    package static let properties = ParquetColumn("props", .text)

    package var column: ParquetColumn {
        switch self {
        case .version: ParquetColumn(rawValue, .int32)
        case .time, .sequence: ParquetColumn(rawValue, .int64)
        case .name, .user, .session, .id, .type, .system, .rest: ParquetColumn(rawValue, .text)
        }
    }
}
