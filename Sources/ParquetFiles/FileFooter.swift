import Basics

/// The metadata at the end of a file: columns, row groups and entries (`FileMetaData` of `parquet.thrift`).
struct FileFooter {
    struct Chunk {
        var codec: ParquetFormat.Codec
        /// Where its first page begins (the dictionary's, if it has one), and where its first data page begins.
        var offset: Int64
        var dataOffset: Int64
        var hasDictionary: Bool
        /// Its size in the file, and that of its unpacked pages, in bytes; both with the pages' headers.
        var bytes: Int64
        var rawBytes: Int64
        var values: Int64
        var nulls: Int64 = 0
        var encodings: [ParquetFormat.Encoding] = []
        var statistics: ColumnStatistics?
        /// CRC-32 of all its bytes. It is stored among the metadata entries, because the format has no field for it.
        var checksum: UInt32 = 0
    }

    struct Group {
        var rows: Int64
        var chunks: [Chunk]
    }

    struct Region {
        static let digits = 24

        var offset: Int64
        var bytes: Int64
        var checksum: UInt32

        fileprivate var text: String { Hexadecimal.text(UInt64(bytes)) + Hexadecimal.text(UInt64(checksum), digits: 8) }
    }

    var columns: [ParquetColumn]
    var groups: [Group] = []
    /// The regions, side by side behind the row groups.
    var regions: [Region] = []
    /// The caller's own metadata entries, without the checksums.
    var metadata: [(key: String, value: String)] = []

    var rows: Int64 { groups.reduce(0) { $0 + $1.rows } }

    /// The footer's bytes, with its own checksum among them.
    func encoded() -> ByteBuffer {
        let output = ByteBuffer(capacity: 1 << 12)
        var writer = ThriftWriter(to: output)
        var checksumEnd = 0
        writer.fields { file in
            file.int32(1, 1)
            file.structures(2, [nil] + columns.map(Optional.some)) { $0.element($1, columns: columns.count) }
            file.int64(3, rows)
            file.structures(4, groups) { writer, group in
                writer.structures(1, Array(zip(columns, group.chunks))) { $0.chunk($1.1, of: $1.0) }
                writer.int64(2, group.chunks.reduce(0) { $0 + $1.rawBytes })
                writer.int64(3, group.rows)
                writer.int64(5, group.chunks.first?.offset ?? 4)
                writer.int64(6, group.chunks.reduce(0) { $0 + $1.bytes })
            }
            let checksums = groups.flatMap(\.chunks).map { Hexadecimal.text(UInt64($0.checksum), digits: 8) }.joined()
            var entries = metadata + [(ParquetFormat.chunkChecksums, checksums)]
            if !regions.isEmpty { entries.append((ParquetFormat.regions, regions.map(\.text).joined())) }
            entries.append((ParquetFormat.footerChecksum, ParquetFormat.emptyChecksum))
            file.structures(5, entries) { writer, entry in
                writer.binary(1, entry.key.utf8)
                writer.binary(2, entry.value.utf8)
                checksumEnd = writer.output.count
            }
            // In a form that Spark can parse: otherwise it refuses to split a file with `DELTA_BYTE_ARRAY` (PARQUET-246).
            file.binary(6, "looptrail version 0.2".utf8)
            // Says that each column has its type's own order. Without this field readers ignore the statistics.
            file.structures(7, columns) { writer, _ in writer.structure(1) { _ in } }
        }
        let digits = Hexadecimal.text(UInt64(GzipPage.checksum(of: output.raw)), digits: 8)
        for (index, digit) in digits.utf8.enumerated() { output.base[checksumEnd - 8 + index] = digit }
        return output
    }
}

extension ThriftWriter {
    /// - Parameter column: `nil` for the root.
    fileprivate mutating func element(_ column: ParquetColumn?, columns: Int) {
        guard let column else {
            binary(4, "schema".utf8)
            int32(5, Int64(columns))
            return
        }
        int32(1, column.kind.rawValue)
        // The column is optional: values may be missing.
        int32(3, 1)
        binary(4, column.name.utf8)
        if column.kind == .text {
            int32(6, 0)
            structure(10) { $0.structure(1) { _ in } }
        }
    }

    fileprivate mutating func chunk(_ chunk: FileFooter.Chunk, of column: ParquetColumn) {
        int64(2, chunk.offset)
        structure(3) { writer in
            writer.int32(1, column.kind.rawValue)
            writer.int32s(2, chunk.encodings.map(\.rawValue))
            writer.binaries(3, [column.name])
            writer.int32(4, chunk.codec.rawValue)
            writer.int64(5, chunk.values)
            writer.int64(6, chunk.rawBytes)
            writer.int64(7, chunk.bytes)
            writer.int64(9, chunk.dataOffset)
            if chunk.hasDictionary { writer.int64(11, chunk.offset) }
            writer.structure(12) { statistics in
                statistics.int64(3, chunk.nulls)
                guard let known = chunk.statistics else { return }
                statistics.binary(5, known.largest)
                statistics.binary(6, known.smallest)
            }
        }
    }
}
