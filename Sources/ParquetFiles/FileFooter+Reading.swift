import Basics

extension FileFooter {
    /// Reads a footer, whose bytes begin at `offset` in the file, and proves it by its checksum.
    init(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(ParquetError) {
        func fail(_ message: String) -> ParquetError { ParquetError(.malformed, at: offset, message) }
        func text(_ value: ThriftValue) -> String { String(decoding: bytes[value.binary ?? 0..<0], as: UTF8.self) }
        var reader = ThriftReader(bytes: bytes, origin: offset)
        let file = try reader.structure()
        guard reader.offset == bytes.count else { throw reader.malformed("bytes behind the footer") }
        self.init(columns: [])
        var (chunkChecksums, regions): (Slice<UnsafeRawBufferPointer>, Slice<UnsafeRawBufferPointer>) = (bytes[..<0], bytes[..<0])
        var footerChecksum: Range<Int>?
        for entry in file[5].elements {
            let (key, value) = (text(entry[1]), entry[2].binary ?? 0..<0)
            switch key {
            case ParquetFormat.footerChecksum: footerChecksum = value
            case ParquetFormat.chunkChecksums: chunkChecksums = bytes[value]
            case ParquetFormat.regions: regions = bytes[value]
            default: metadata.append((key, text(entry[2])))
            }
        }
        try Self.prove(bytes, by: footerChecksum, at: offset)
        let elements = file[2].elements
        guard let root = elements.first, root[5].integer == Int64(elements.count - 1), elements.count <= ParquetFormat.maxColumns + 1 else {
            throw fail("the schema is not one of plain columns")
        }
        for element in elements.dropFirst() {
            let kind = element[1].integer.flatMap(ParquetColumn.Kind.init(rawValue:))
            guard let kind, element[3].integer == 1, element[5].integer ?? 0 == 0 else {
                throw ParquetError(.unsupported, at: offset, "column \(text(element[4])) is of a kind that is not read here")
            }
            columns.append(ParquetColumn(text(element[4]), kind))
        }
        let rawGroups = file[4].elements
        guard chunkChecksums.count == rawGroups.reduce(0, { $0 + $1[1].elements.count }) * 8 else {
            throw fail("the number of checksums is not that of the column chunks")
        }
        /// Chunks lie side by side: none overlaps another, and no byte between them is without a checksum.
        var end = Int64(ParquetFormat.magic.count)
        for rawGroup in rawGroups {
            let (rawChunks, rows) = (rawGroup[1].elements, rawGroup[3].integer ?? -1)
            guard rawChunks.count == columns.count, (0...ParquetFormat.maxRowsOfGroup).contains(rows) else {
                throw fail("a row group has \(rawChunks.count) columns and \(rows) rows")
            }
            var group = Group(rows: rows, chunks: [])
            for (raw, column) in zip(rawChunks.lazy.map { $0[3] }, columns) {
                guard let chunk = Chunk(raw, column.kind, checksum: Self.checksum(chunkChecksums.prefix(8))), chunk.offset == end,
                    chunk.bytes >= 0, chunk.bytes <= offset - end, chunk.values == rows
                else { throw fail("the chunk of column \(column.name) is not one of this module's") }
                chunkChecksums = chunkChecksums.dropFirst(8)
                end += chunk.bytes
                group.chunks.append(chunk)
            }
            groups.append(group)
        }
        while !regions.isEmpty {
            let digits = regions.prefix(Region.digits)
            guard digits.count == Region.digits, let bytes = Self.number(digits.prefix(16)), bytes <= UInt64(offset - end),
                let checksum = Self.checksum(digits.suffix(8))
            else { throw fail("the list of regions does not fit the file") }
            self.regions.append(Region(offset: end, bytes: Int64(bytes), checksum: checksum))
            regions = regions.dropFirst(Region.digits)
            end += Int64(bytes)
        }
        guard end == offset else { throw fail("\(offset - end) bytes before the footer belong to no column") }
        guard rows == file[3].integer else { throw fail("the row groups have \(rows) rows, and the file another number") }
    }

    private static func prove(_ bytes: UnsafeRawBufferPointer, by range: Range<Int>?, at offset: Int64) throws(ParquetError) {
        guard let range, range.count == 8, let wanted = checksum(bytes[range]) else {
            throw ParquetError(.unsupported, at: offset, "the footer has no checksum of its own: another program's file")
        }
        let copy = ByteBuffer(capacity: bytes.count)
        copy.append(bytes)
        for digit in range { copy.base[digit] = UInt8(ascii: "0") }
        guard GzipPage.checksum(of: copy.raw) == wanted else { throw ParquetError(.damaged, at: offset, "the footer's checksum is wrong") }
    }

    private static func checksum(_ digits: some Collection<UInt8>) -> UInt32? { number(digits).flatMap { UInt32(exactly: $0) } }

    private static func number(_ digits: some Collection<UInt8>) -> UInt64? {
        Hexadecimal.number(String(decoding: digits, as: UTF8.self), digits: digits.count)
    }
}

extension FileFooter.Chunk {
    /// - Parameter raw: the structure `ColumnMetaData`.
    fileprivate init?(_ raw: ThriftValue, _ kind: ParquetColumn.Kind, checksum: UInt32?) {
        guard raw[1].integer == kind.rawValue, let codec = raw[4].integer.flatMap(ParquetFormat.Codec.init), let checksum,
            let values = raw[5].integer, let rawBytes = raw[6].integer, let bytes = raw[7].integer, let dataOffset = raw[9].integer
        else { return nil }
        let dictionaryOffset = raw[11].integer
        self.init(
            codec: codec, offset: dictionaryOffset ?? dataOffset, dataOffset: dataOffset,
            hasDictionary: dictionaryOffset != nil, bytes: bytes, rawBytes: rawBytes, values: values, checksum: checksum)
    }
}
