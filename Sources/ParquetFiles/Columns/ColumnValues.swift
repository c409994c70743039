import Basics

/// The values of one column in one row group. Rows without a value take no place.
package struct ColumnValues: Sendable {
    package enum Storage: Sendable {
        /// Of `int32`, too.
        case integers([Int64])
        case doubles([Double])
        case flags([Bool])
        /// Each value's place in the texts.
        case texts(ColumnTexts, [UInt32])
    }

    package let column: ParquetColumn
    /// How many rows there are.
    package let rows: Int
    /// The rows that have a value, rising; `nil` if all have.
    package let present: [UInt32]?
    package let storage: Storage

    /// How many rows have a value.
    package var count: Int { present?.count ?? rows }
}

/// Texts as they were read: a dictionary's, or a page's.
///
/// `@unchecked Sendable`: nothing changes once it is made.
package final class ColumnTexts: @unchecked Sendable {
    private let bytes: ByteBuffer
    /// Where each text begins and ends.
    private let ranges: [Range<Int>]

    init(_ bytes: ByteBuffer, ranges: [Range<Int>]) {
        self.bytes = bytes
        self.ranges = ranges
    }

    package var count: Int { ranges.count }

    /// Valid as long as this object is.
    package subscript(_ place: Int) -> UnsafeRawBufferPointer {
        let range = ranges[place]
        return UnsafeRawBufferPointer(start: UnsafeRawPointer(bytes.base) + range.lowerBound, count: range.count)
    }
}
