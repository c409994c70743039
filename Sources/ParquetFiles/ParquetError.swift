/// Why a file cannot be read as one that ``ParquetFileWriter`` wrote.
package struct ParquetError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Kind: String, Sendable, Hashable {
        /// The file is shorter than it says, or does not begin and end as the format demands.
        case notParquet
        case damaged, malformed
        /// The format allows it, and this module neither writes nor reads it.
        case unsupported
        case unreadable
    }

    package let kind: Kind
    /// Where in the file, in bytes.
    package let byteOffset: Int64
    package let message: String

    package init(_ kind: Kind, at byteOffset: Int64, _ message: String) {
        (self.kind, self.byteOffset, self.message) = (kind, byteOffset, message)
    }

    package var description: String { "byte \(byteOffset): \(message)" }
}
