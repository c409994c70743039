package import Basics

/// Writes a Parquet file: row groups of columns, regions, then the footer. Any value of a column may be missing. Pages are of version 1;
/// encodings are `PLAIN`, `RLE_DICTIONARY`, `DELTA_BINARY_PACKED` and `DELTA_BYTE_ARRAY`. A column chunk is gzip at level 1 where that
/// saves a tenth of it. Within it a page is compressed where that saves a tenth of the page, or four tenths of a dictionary's codes. A
/// region holds any bytes: other programs pass over it, as over a Bloom filter. The metadata has checksums of everything, of the footer
/// too, so that a reader can prove what it uses. The format: github.com/apache/parquet-format. For one thread at a time.
package final class ParquetFileWriter<Failure: Error> {
    private let write: (UnsafeRawBufferPointer) throws(Failure) -> Void
    private var footer: FileFooter
    private var offset: Int64 = 0
    private let gzip = GzipPage()

    /// The columns must have different names. `write` gets the bytes of the file in their order.
    package init(columns: [ParquetColumn], write: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void) {
        footer = FileFooter(columns: columns)
        self.write = write
    }

    /// Writes the next rows from one builder for each column, in the columns' order. No builder has a value beyond `rows`.
    package func append(_ builders: [ColumnBuilder], rows: Int) throws(Failure) {
        precondition(builders.map(\.column) == footer.columns, "a row group has the columns of its file")
        precondition(footer.regions.isEmpty, "row groups stand before regions")
        try begin()
        var group = FileFooter.Group(rows: Int64(rows), chunks: [])
        for builder in builders { group.chunks.append(try append(builder, rows: rows)) }
        footer.groups.append(group)
    }

    /// Writes bytes that belong to no column. No row group can be written afterwards.
    package func append(region bytes: ByteBuffer) throws(Failure) {
        try begin()
        footer.regions.append(FileFooter.Region(offset: offset, bytes: Int64(bytes.count), checksum: GzipPage.checksum(of: bytes.raw)))
        try put(bytes)
    }

    /// Writes the footer. Nothing can be written afterwards.
    package func finish(metadata: [(key: String, value: String)]) throws(Failure) {
        try begin()
        footer.metadata = metadata
        let bytes = footer.encoded()
        bytes.append(littleEndian: UInt32(bytes.count))
        bytes.append(ParquetFormat.magic)
        try put(bytes)
    }

    private func begin() throws(Failure) {
        if offset > 0 { return }
        let magic = ByteBuffer(capacity: 4)
        magic.append(ParquetFormat.magic)
        try put(magic)
    }

    private func append(_ builder: ColumnBuilder, rows: Int) throws(Failure) -> FileFooter.Chunk {
        let encoder = ChunkEncoder(builder, rows: rows)
        var pages = packed(encoder.list, of: encoder.pages)
        let isPacked = GzipPage.pays(pages.bodyBytes, for: encoder.pages.count)
        if !isPacked {
            pages = Pages(capacity: encoder.pages.count + 64 * encoder.list.count)
            for page in encoder.list { pages.append(page, UnsafeRawBufferPointer(rebasing: encoder.pages.raw[page.range])) }
        }
        let chunk = pages.bytes
        let hasDictionary = encoder.list.first?.type == .dictionary
        let written = FileFooter.Chunk(
            codec: isPacked ? .gzip : .uncompressed, offset: offset,
            dataOffset: offset + Int64(hasDictionary ? pages.dataStart : 0), hasDictionary: hasDictionary, bytes: Int64(chunk.count),
            rawBytes: Int64(pages.rawBytes), values: Int64(rows), nulls: Int64(rows - builder.values.count), encodings: encoder.encodings,
            statistics: ColumnStatistics(builder), checksum: GzipPage.checksum(of: chunk.raw))
        try put(chunk)
        return written
    }

    private func packed(_ list: [ChunkEncoder.Page], of bytes: ByteBuffer) -> Pages {
        var pages = Pages(capacity: bytes.count / 2)
        let scratch = ByteBuffer(capacity: 1 << 16)
        // The pages of a column are alike: after one that does not shrink, no other is tried.
        var shrinks = true
        for page in list {
            scratch.removeAll()
            let raw = UnsafeRawBufferPointer(rebasing: bytes.raw[page.range])
            let isSmaller = gzip.append(raw, of: page.encoding, isTried: shrinks, to: scratch)
            if page.type == .data { shrinks = isSmaller }
            pages.append(page, scratch.raw)
        }
        return pages
    }

    private func put(_ bytes: ByteBuffer) throws(Failure) {
        try write(bytes.raw)
        offset += Int64(bytes.count)
    }
}

private struct Pages {
    let bytes: ByteBuffer
    private(set) var dataStart = 0
    /// The size of the unpacked pages with their headers, and that of the pages as written, without headers.
    private(set) var rawBytes = 0
    private(set) var bodyBytes = 0

    init(capacity: Int) { bytes = ByteBuffer(capacity: capacity) }

    mutating func append(_ page: ChunkEncoder.Page, _ body: UnsafeRawBufferPointer) {
        let start = bytes.count
        if page.type == .data, dataStart == 0 { dataStart = start }
        page.appendHeader(bytes: body.count, checksum: GzipPage.checksum(of: body), to: bytes)
        rawBytes += bytes.count - start + page.range.count
        bodyBytes += body.count
        bytes.append(body)
    }
}

extension ChunkEncoder.Page {
    /// Appends the header of the page (`PageHeader` of `parquet.thrift`).
    fileprivate func appendHeader(bytes: Int, checksum: UInt32, to output: ByteBuffer) {
        var writer = ThriftWriter(to: output)
        writer.fields { header in
            header.int32(1, type.rawValue)
            header.int32(2, Int64(range.count))
            header.int32(3, Int64(bytes))
            header.int32(4, Int64(Int32(bitPattern: checksum)))
            header.structure(type == .data ? 5 : 7) { page in
                page.int32(1, Int64(values))
                page.int32(2, encoding.rawValue)
                guard type == .data else { return }
                page.int32(3, ParquetFormat.Encoding.rle.rawValue)
                page.int32(4, ParquetFormat.Encoding.rle.rawValue)
            }
        }
    }
}
