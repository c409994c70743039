import Basics

/// The values of one column in one row group. Rows without a value have no entry.
package struct ColumnValues: Sendable {
    package enum Storage: Sendable {
        /// For `int32` and `int64`.
        case integers([Int64])
        case doubles([Double])
        case flags([Bool])
        /// Each value's index in the texts.
        case texts(ColumnTexts, [UInt32])
    }

    package let column: ParquetColumn
    package let rows: Int
    /// The rows that have a value, in rising order; `nil` if all have one.
    package let present: [UInt32]?
    package let storage: Storage

    package var count: Int { present?.count ?? rows }
}

/// Texts as they were read: a dictionary's, or a page's. `@unchecked Sendable`: nothing changes once it is made.
package final class ColumnTexts: @unchecked Sendable {
    package struct Span: Sendable, BitwiseCopyable {
        package let start: UInt32
        package let count: UInt32
    }

    private let bytes: ByteBuffer
    package let spans: [Span]

    init(_ bytes: ByteBuffer, spans: [Span]) { (self.bytes, self.spans) = (bytes, spans) }

    package var count: Int { spans.count }
    /// The first byte of the texts. The pointer, and each text, is valid while this object lives.
    package var base: UnsafeRawPointer { UnsafeRawPointer(bytes.base) }

    package subscript(_ index: Int) -> UnsafeRawBufferPointer {
        let span = spans[index]
        return UnsafeRawBufferPointer(start: base + Int(span.start), count: Int(span.count))
    }
}
