package import Basics

/// Reads files that ``ParquetFileWriter`` wrote, column by column, on any number of threads at a time. A checksum proves every byte before
/// it is used: where a file was cut or changed, reading gives an error with the offset, never a wrong value. Others' files are refused.
package struct ParquetFileReader: Sendable {
    /// Fills a buffer with the bytes at an offset of the file, or throws.
    package typealias Read = @Sendable (UnsafeMutableRawBufferPointer, Int64) throws(ParquetError) -> Void

    private static let tailBytes: Int64 = 8

    private let footer: FileFooter
    private let read: Read

    /// Reads the footer of a file of `size` bytes with `read`.
    package init(size: Int64, read: @escaping Read) throws(ParquetError) {
        self.read = read
        let magic = ParquetFormat.magic
        guard size >= Int64(magic.count) + Self.tailBytes else {
            throw ParquetError(.notParquet, at: 0, "\(size) bytes are too few for a Parquet file")
        }
        let head = try Self.bytes(magic.count, at: 0, read)
        guard head.raw.elementsEqual(magic) else { throw ParquetError(.notParquet, at: 0, "the file does not begin with PAR1") }
        let tail = try Self.bytes(Int(Self.tailBytes), at: size - Self.tailBytes, read)
        guard tail.raw[4...].elementsEqual(magic) else {
            throw ParquetError(.notParquet, at: size - 4, "the file does not end with PAR1: it was cut")
        }
        let length = Int64(tail.raw.loadUnaligned(as: UInt32.self).littleEndian)
        let start = size - Self.tailBytes - length
        guard start >= Int64(magic.count), length <= ParquetFormat.maxFooterBytes else {
            throw ParquetError(.notParquet, at: size - Self.tailBytes, "a footer of \(length) bytes does not fit the file")
        }
        let bytes = try Self.bytes(Int(length), at: start, read)
        footer = try withExtendedLifetime(bytes) { () throws(ParquetError) in try FileFooter(bytes.raw, at: start) }
    }

    package var columns: [ParquetColumn] { footer.columns }
    package var groupRows: [Int] { footer.groups.map { Int($0.rows) } }
    package var rows: Int64 { footer.rows }
    package var regionCount: Int { footer.regions.count }
    package var metadata: [(key: String, value: String)] { footer.metadata }

    package func column(named name: String) -> Int? { footer.columns.firstIndex { $0.name.utf8.elementsEqual(name.utf8) } }

    /// Reads the values of a column in one row group, in O(bytes of the column chunk + rows).
    package func values(ofColumn column: Int, inGroup group: Int) throws(ParquetError) -> ColumnValues {
        try decoding(column, group) { decoder throws(ParquetError) in try decoder.values() }
    }

    /// The dictionary of a text column in one row group; `nil` if it has none.
    package func dictionary(ofColumn column: Int, inGroup group: Int) throws(ParquetError) -> ColumnTexts? {
        let chunk = footer.groups[group].chunks[column]
        guard footer.columns[column].kind == .text, chunk.hasDictionary else { return nil }
        return try decoding(column, group) { decoder throws(ParquetError) in try decoder.dictionaryTexts() }
    }

    private func decoding<Result>(
        _ column: Int, _ group: Int, _ body: (inout ChunkDecoder) throws(ParquetError) -> Result
    ) throws(ParquetError) -> Result {
        let group = footer.groups[group]
        let bytes = try proven(group.chunks[column], footer.columns[column])
        return try withExtendedLifetime(bytes) { () throws(ParquetError) in
            var decoder = ChunkDecoder(group.chunks[column], bytes.raw, footer.columns[column], rows: Int(group.rows))
            return try body(&decoder)
        }
    }

    /// Reads a region, and returns where in the file it begins. ``BitPacking/padding`` bytes behind it may be loaded, too.
    package func region(_ number: Int) throws(ParquetError) -> (bytes: ByteBuffer, offset: Int64) {
        let region = footer.regions[number]
        let bytes = try Self.bytes(Int(region.bytes), at: region.offset, read)
        guard GzipPage.checksum(of: bytes.raw) == region.checksum else {
            throw ParquetError(.damaged, at: region.offset, "the checksum of region \(number) is wrong")
        }
        return (bytes, region.offset)
    }

    package func proveAll() throws(ParquetError) {
        for number in footer.regions.indices { _ = try region(number) }
        for group in footer.groups.indices {
            for column in footer.columns.indices { _ = try proven(footer.groups[group].chunks[column], footer.columns[column]) }
        }
    }

    private func proven(_ chunk: FileFooter.Chunk, _ column: ParquetColumn) throws(ParquetError) -> ByteBuffer {
        let bytes = try Self.bytes(Int(chunk.bytes), at: chunk.offset, read)
        guard GzipPage.checksum(of: bytes.raw) == chunk.checksum else {
            throw ParquetError(.damaged, at: chunk.offset, "the checksum of column \(column.name) is wrong")
        }
        return bytes
    }

    /// Reads bytes of the file. ``BitPacking/padding`` bytes behind them may be loaded, too.
    private static func bytes(_ count: Int, at offset: Int64, _ read: Read) throws(ParquetError) -> ByteBuffer {
        let buffer = ByteBuffer(capacity: count + BitPacking.padding)
        try read(UnsafeMutableRawBufferPointer(start: buffer.base, count: count), offset)
        buffer.advance(by: count)
        return buffer
    }
}
