import Basics
package import ParquetFiles

/// A property with a column of its own: its path, and the kind of its values. Each kind has a column, of one type in all files.
package struct SummaryLeaf: Sendable, Hashable {
    /// The kind of a column's values. The raw value follows the path in the column's name.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A number with a point or an exponent.
        case number
        case integer, text, flag

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

    /// `props_<path>_<kind>`. In the path `a`–`z`, `0`–`9` and `_` stay. Any other byte becomes `$` and two hexadecimal digits: some
    /// engines ignore case, and names must stay different there. `$_` joins levels.
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
    case name, user, session
    case sequence = "seq"
    case id, type, system
    /// The properties that have no column, as JSON; null if all have one.
    case rest = "props_rest"

    /// The JSON of all properties as on the line, if the caller of the indexer asks for it.
    package static let properties = ParquetColumn("props", .text)

    package var column: ParquetColumn {
        switch self {
        case .version: ParquetColumn(rawValue, .int32)
        case .time, .sequence: ParquetColumn(rawValue, .int64)
        case .name, .user, .session, .id, .type, .system, .rest: ParquetColumn(rawValue, .text)
        }
    }
}
