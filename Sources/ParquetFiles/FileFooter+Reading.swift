import Basics

extension FileFooter {
    /// Reads a footer and proves it by its checksum.
    ///
    /// - Parameters:
    ///   - bytes: of the footer.
    ///   - offset: where in the file it begins.
    init(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(ParquetError) {
        var reader = ThriftReader(bytes: bytes, origin: offset)
        var raw = RawFooter()
        try reader.forEachField { reader, field throws(ParquetError) in
            switch field.number {
            case 2: try reader.structures(field) { reader throws(ParquetError) in raw.elements.append(try SchemaElement(&reader)) }
            case 3: raw.rows = try reader.integer(field)
            case 4: try reader.structures(field) { reader throws(ParquetError) in raw.groups.append(try RawGroup(&reader)) }
            case 5: try reader.structures(field) { reader throws(ParquetError) in try raw.addEntry(&reader) }
            default: try reader.skip(field)
            }
        }
        guard reader.offset == bytes.count else { throw reader.malformed("bytes behind the footer") }
        try raw.prove(bytes, at: offset)
        self = try raw.footer(at: offset)
    }
}

/// A footer as it stands there.
private struct RawFooter {
    var elements: [SchemaElement] = []
    var rows: Int64 = -1
    var groups: [RawGroup] = []
    var metadata: [(key: String, value: String)] = []
    private var chunkChecksums: [UInt8] = []
    private var listedRegions: [UInt8] = []
    private var footerChecksum: Range<Int>?

    mutating func addEntry(_ reader: inout ThriftReader) throws(ParquetError) {
        var key = ""
        var value = 0..<0
        try reader.forEachField { reader, field throws(ParquetError) in
            switch field.number {
            case 1: key = try reader.text(field)
            case 2: value = try reader.binary(field)
            default: try reader.skip(field)
            }
        }
        switch key {
        case ParquetFormat.footerChecksum: footerChecksum = value
        case ParquetFormat.chunkChecksums: chunkChecksums = Array(reader.bytes[value])
        case ParquetFormat.regions: listedRegions = Array(reader.bytes[value])
        default: metadata.append((key, String(decoding: reader.bytes[value], as: UTF8.self)))
        }
    }

    func prove(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(ParquetError) {
        guard let range = footerChecksum, range.count == 8, let wanted = Self.checksum(bytes[range]) else {
            throw ParquetError(.unsupported, at: offset, "the footer has no checksum of its own: another program's file")
        }
        let copy = ByteBuffer(capacity: bytes.count)
        copy.append(bytes)
        for digit in range { copy.base[digit] = UInt8(ascii: "0") }
        guard GzipPage.checksum(of: copy.raw) == wanted else {
            throw ParquetError(.damaged, at: offset, "the footer's checksum is wrong")
        }
    }

    func footer(at offset: Int64) throws(ParquetError) -> FileFooter {
        func fail(_ message: String) -> ParquetError { ParquetError(.malformed, at: offset, message) }
        guard let root = elements.first, root.children == Int64(elements.count - 1), elements.count <= ParquetFormat.maxColumns + 1 else {
            throw fail("the schema is not one of plain columns")
        }
        var columns: [ParquetColumn] = []
        for element in elements.dropFirst() { columns.append(try element.column(at: offset)) }
        let all = groups.flatMap(\.chunks)
        guard chunkChecksums.count == all.count * 8 else { throw fail("the number of checksums is not that of the column chunks") }
        var footer = FileFooter(columns: columns, metadata: metadata)
        /// Chunks lie side by side: none overlaps another, and no byte of the file is beyond a checksum.
        var end = Int64(ParquetFormat.magic.count)
        var number = 0
        for group in groups {
            guard group.chunks.count == columns.count, (0...ParquetFormat.maxRowsOfGroup).contains(group.rows) else {
                throw fail("a row group has \(group.chunks.count) columns and \(group.rows) rows")
            }
            var chunks: [FileFooter.Chunk] = []
            for (raw, column) in zip(group.chunks, columns) {
                guard raw.offset == end, raw.bytes >= 0, raw.bytes <= offset - end, raw.kind == column.kind, raw.values == group.rows,
                    let codec = raw.codec, let checksum = Self.checksum(chunkChecksums[number * 8..<number * 8 + 8])
                else { throw fail("the chunk of column \(column.name) is not one of this module's") }
                end += raw.bytes
                number += 1
                chunks.append(
                    FileFooter.Chunk(
                        kind: column.kind, codec: codec, offset: raw.offset, dataOffset: raw.dataOffset,
                        hasDictionary: raw.dictionaryOffset != nil, bytes: raw.bytes, rawBytes: raw.rawBytes, values: raw.values,
                        nulls: raw.nulls, checksum: checksum))
            }
            footer.groups.append(FileFooter.Group(rows: group.rows, chunks: chunks))
        }
        guard listedRegions.count % FileFooter.Region.digits == 0 else { throw fail("the list of regions was cut") }
        for start in stride(from: 0, to: listedRegions.count, by: FileFooter.Region.digits) {
            let digits = listedRegions[start..<start + FileFooter.Region.digits]
            guard let bytes = Self.number(digits.prefix(16)), bytes <= UInt64(offset - end), let checksum = Self.checksum(digits.suffix(8))
            else { throw fail("the list of regions does not fit the file") }
            footer.regions.append(FileFooter.Region(offset: end, bytes: Int64(bytes), checksum: checksum))
            end += Int64(bytes)
        }
        guard end == offset else { throw fail("\(offset - end) bytes before the footer belong to no column") }
        guard footer.rows == rows else { throw fail("\(rows) rows, and \(footer.rows) in the row groups") }
        return footer
    }

    private static func checksum(_ digits: some Collection<UInt8>) -> UInt32? { number(digits).flatMap { UInt32(exactly: $0) } }

    private static func number(_ digits: some Collection<UInt8>) -> UInt64? {
        // Only as it was written: a digit in upper case is a changed bit.
        guard let value = UInt64(String(decoding: digits, as: UTF8.self), radix: 16),
            Hexadecimal.text(value, digits: digits.count).utf8.elementsEqual(digits)
        else { return nil }
        return value
    }
}

private struct SchemaElement {
    private var type: Int64?
    private var repetition: Int64?
    private var name = ""
    private(set) var children: Int64?

    init(_ reader: inout ThriftReader) throws(ParquetError) {
        try reader.forEachField { reader, field throws(ParquetError) in
            switch field.number {
            case 1: type = try reader.integer(field)
            case 3: repetition = try reader.integer(field)
            case 4: name = try reader.text(field)
            case 5: children = try reader.integer(field)
            default: try reader.skip(field)
            }
        }
    }

    func column(at offset: Int64) throws(ParquetError) -> ParquetColumn {
        guard let kind = type.flatMap(ParquetColumn.Kind.init), repetition == 1, children ?? 0 == 0 else {
            throw ParquetError(.unsupported, at: offset, "column \(name) is of a kind that is not read here")
        }
        return ParquetColumn(name, kind)
    }
}

private struct RawGroup {
    var chunks: [RawChunk] = []
    var rows: Int64 = -1

    init(_ reader: inout ThriftReader) throws(ParquetError) {
        try reader.forEachField { reader, field throws(ParquetError) in
            switch field.number {
            case 1: try reader.structures(field) { reader throws(ParquetError) in chunks.append(try RawChunk(&reader)) }
            case 3: rows = try reader.integer(field)
            default: try reader.skip(field)
            }
        }
    }
}

private struct RawChunk {
    private(set) var kind: ParquetColumn.Kind?
    private(set) var codec: ParquetFormat.Codec?
    private(set) var values: Int64 = -1
    private(set) var rawBytes: Int64 = -1
    private(set) var bytes: Int64 = -1
    private(set) var dataOffset: Int64 = -1
    private(set) var dictionaryOffset: Int64?
    private(set) var nulls: Int64 = -1

    /// Where the first page begins.
    var offset: Int64 { dictionaryOffset ?? dataOffset }

    init(_ reader: inout ThriftReader) throws(ParquetError) {
        try reader.forEachField { reader, field throws(ParquetError) in
            guard field.number == 3 else { return try reader.skip(field) }
            try reader.structure(field) { reader, field throws(ParquetError) in try take(field, of: &reader) }
        }
    }

    private mutating func take(_ field: ThriftReader.Field, of reader: inout ThriftReader) throws(ParquetError) {
        switch field.number {
        case 1: kind = ParquetColumn.Kind(physicalType: try reader.integer(field))
        case 4: codec = ParquetFormat.Codec(rawValue: try reader.integer(field))
        case 5: values = try reader.integer(field)
        case 6: rawBytes = try reader.integer(field)
        case 7: bytes = try reader.integer(field)
        case 9: dataOffset = try reader.integer(field)
        case 11: dictionaryOffset = try reader.integer(field)
        case 12:
            try reader.structure(field) { reader, field throws(ParquetError) in
                if field.number == 3 { nulls = try reader.integer(field) } else { try reader.skip(field) }
            }
        default: try reader.skip(field)
        }
    }
}
