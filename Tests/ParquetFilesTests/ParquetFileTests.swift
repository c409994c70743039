import Basics
import Testing
import TrackingEvents

@testable import ParquetFiles

@Suite struct ParquetFileTests {
    @Test(arguments: 0..<60) func `a random table is read back`(seed: Int) throws {
        var sample = SampleTable(random: SeededRandom(seed: UInt64(seed)))
        let columns = Int(sample.random.next() % 7) + 1
        var groups: [[SampleColumn]] = []
        for _ in 0..<Int(sample.random.next() % 3) + 1 {
            let rows = [0, 1, 7, 8, 9, 127, 128, 129, 1000, 3001][Int(sample.random.next() % 10)]
            groups.append((0..<columns).map { sample.column($0, rows: rows) })
        }
        // The groups of a file have its columns.
        for group in groups.indices { for column in 0..<columns { groups[group][column] = groups[group][column].like(groups[0][column]) } }
        let bytes = ParquetBytes.file(groups, metadata: [("a", "b"), ("ü", "")])
        let reader = try ParquetBytes.reader(bytes)
        #expect(reader.columns == groups[0].map(\.column))
        #expect(reader.groupRows == groups.map { $0[0].values.count })
        #expect(reader.metadata.map(\.key) == ["a", "ü"] && reader.metadata.map(\.value) == ["b", ""])
        #expect(try ParquetBytes.contents(bytes) == groups.map { $0.map(\.values) })
        try reader.proveAll()
    }

    /// Only text columns have a choice of how texts are written, so only `.text` runs with `.prefixed` as well.
    @Test(arguments: ParquetColumn.Kind.allCases.map { ($0, .each) } + [(.text, .prefixed)] as [(ParquetColumn.Kind, ColumnBuilder.Texts)])
    func `a column of many pages is read back`(kind: ParquetColumn.Kind, texts: ColumnBuilder.Texts) throws {
        let rows = 2 * ChunkEncoder.rowsPerPage + 77
        var column = SampleColumn(column: ParquetColumn("long", kind), texts: texts, values: [])
        for row in 0..<rows {
            let value: SampleColumn.Value =
                switch kind {
                case .int32: .integer(Int64(Int32(truncatingIfNeeded: row &* 7919)))
                case .int64: .integer(Int64(row) * 1_000_003)
                case .double: .double(Double(row).bitPattern)
                case .flag: .flag(row % 3 == 0)
                case .text: .text(String(row, radix: 36))
                }
            column.values.append(row % 1000 == 5 ? nil : value)
        }
        let bytes = ParquetBytes.file([[column]])
        #expect(try ParquetBytes.contents(bytes) == [[column.values]])
    }

    @Test(arguments: [[[]], [[1, 2, 3]], [[], [0xFF], [], Array("PAR1".utf8)]] as [[[UInt8]]])
    func `regions are read back`(regions: [[UInt8]]) throws {
        let column = SampleColumn(column: ParquetColumn("n", .int64), values: [.integer(1), nil])
        for groups in [[], [[column]], [[column], [column]]] {
            let bytes = ParquetBytes.file(groups, columns: [column.column], regions: regions)
            #expect(try ParquetBytes.regions(bytes) == regions)
            #expect(try ParquetBytes.contents(bytes) == groups.map { $0.map(\.values) })
        }
    }

    @Test func `numbers at the edges of their types are read back`() throws {
        let edges: [Int64] = [.min, .max, 0, -1, 1, .max, .min, .min, .max - 1, 1 << 62, -1 << 62, 5]
        // Enough of them that no dictionary pays.
        let many = edges + (0..<300).map { Int64($0) &* 0x1234_5678_9ABC_DEF1 } + edges
        let integers = SampleColumn(column: ParquetColumn("i", .int64), values: many.map { .integer($0) })
        let short = SampleColumn(
            column: ParquetColumn("s", .int32), values: many.map { .integer(Int64(Int32(truncatingIfNeeded: $0 &* 31))) })
        let doubles = SampleColumn(
            column: ParquetColumn("d", .double),
            values: many.map { .double(UInt64(bitPattern: $0)) })
        let contents = try ParquetBytes.contents(ParquetBytes.file([[integers, short, doubles]]))
        #expect(contents == [[integers.values, short.values, doubles.values]])
    }

    @Test(arguments: [ColumnBuilder.Texts.each, .prefixed]) func `long texts end a page early`(texts: ColumnBuilder.Texts) throws {
        let long = String(repeating: "x", count: 700_000)
        let column = SampleColumn(
            column: ParquetColumn("t", .text), texts: texts, values: (0..<9).map { $0 == 4 ? nil : .text(long + String($0)) })
        let encoder = ChunkEncoder(column.builder(), rows: 9)
        #expect(encoder.list.count > 3)
        #expect(try ParquetBytes.contents(ParquetBytes.file([[column]])) == [[column.values]])
    }

    @Test func `a file without rows has its columns`() throws {
        let columns = [ParquetColumn("a", .text), ParquetColumn("b", .double)]
        let reader = try ParquetBytes.reader(ParquetBytes.file([], columns: columns))
        #expect(reader.columns == columns && reader.rows == 0 && reader.groupRows.isEmpty)
        #expect(reader.column(named: "b") == 1 && reader.column(named: "c") == nil)
    }

    @Test func `a dictionary may hold texts that no row has`() throws {
        let builder = ColumnBuilder(ParquetColumn("t", .text), texts: .dictionary)
        let texts = ["seen", "unseen", ""].map { Array($0.utf8) }
        texts[0].withUnsafeBytes { builder.append($0, row: 2) }
        #expect(texts[1].withUnsafeBytes { builder.code(of: $0) } == 1)
        #expect(texts[2].withUnsafeBytes { builder.code(of: $0) } == 2)
        #expect(texts[0].withUnsafeBytes { builder.code(of: $0) } == 0)
        var bytes: [UInt8] = []
        let writer = ParquetFileWriter<Never>(columns: [builder.column]) { bytes += $0 }
        writer.append([builder], rows: 3)
        writer.finish(metadata: [])
        let dictionary = try #require(try ParquetBytes.reader(bytes).dictionary(ofColumn: 0, inGroup: 0))
        #expect((0..<dictionary.count).map { Array(dictionary[$0]) } == texts)
        #expect(try ParquetBytes.contents(bytes) == [[[nil, nil, .text("seen")]]])
    }

    @Test(arguments: [
        (["a", "b", "a", "b"] + Array(repeating: "a", count: 996), ParquetFormat.Encoding.rleDictionary),
        ((0..<1000).map { "text \($0)" }, .plain),
    ]) func `texts that repeat are written as indices of a dictionary`(texts: [String], encoding: ParquetFormat.Encoding) {
        let column = SampleColumn(column: ParquetColumn("t", .text), values: texts.map { .text($0) })
        #expect(ChunkEncoder(column.builder(), rows: texts.count).list.last?.encoding == encoding)
    }

    @Test func `a page that gzip hardly shrinks is stored, even in a chunk that gzip does shrink`() throws {
        var random = SeededRandom(seed: 4)
        // The texts of the dictionary are alike, but the codes that refer to them are noise.
        let rows = ChunkEncoder.rowsPerPage + 500
        let texts = (0..<rows).map { _ in SampleColumn.Value.text("the same long beginning \(random.next() % 4096)") }
        let column = SampleColumn(column: ParquetColumn("t", .text), texts: .dictionary, values: texts)
        let pages = ChunkEncoder(column.builder(), rows: rows)
        let bytes = ParquetBytes.file([[column]])
        #expect(try ParquetBytes.contents(bytes) == [[texts]])
        #expect(bytes.count * 10 < pages.pages.count * 9)
        let places = pages.list.filter { $0.type == .data }
        #expect(places.count == 2)
        // A stored block of deflate holds the bytes as they are.
        let (first, all) = (Array(pages.pages.bytes[places[0].range]), ByteBuffer(capacity: 16))
        all.append(bytes)
        let half = first[first.count / 2..<first.count / 2 + 64]
        #expect(all.bytes.indices.contains { all.count - $0 >= 64 && all.bytes[$0..<$0 + 64].elementsEqual(half) })
    }

    @Test(arguments: [true, false]) func `a packed page is read back, whatever it holds`(isNoise: Bool) {
        var random = SeededRandom(seed: 5)
        let raw = (0..<70_000).map { _ in isNoise ? UInt8(truncatingIfNeeded: random.next()) : 7 }
        let (page, packed) = (GzipPage(), ByteBuffer(capacity: 16))
        raw.withUnsafeBytes { #expect(page.append($0, to: packed) != isNoise) }
        #expect(isNoise == (packed.count > raw.count))
        var unpacked = [UInt8](repeating: 0, count: raw.count)
        #expect(unpacked.withUnsafeMutableBytes { page.unpack(packed.raw, to: $0) })
        #expect(unpacked == raw)
    }

    /// Random bytes below 64 carry six bits each, so deflate saves a quarter.
    @Test(arguments: [(ParquetFormat.Encoding.plain, true), (.rleDictionary, false)])
    func `codes are packed only if that saves four tenths`(encoding: ParquetFormat.Encoding, isPacked: Bool) {
        var random = SeededRandom(seed: 6)
        let raw = (0..<5000).map { _ in UInt8(random.next() % 64) }
        raw.withUnsafeBytes { #expect(GzipPage().append($0, of: encoding, to: ByteBuffer(capacity: 16)) == isPacked) }
    }

    /// Time-ordered ids share their beginning: sixteen random digits of four bits take little more than eight bytes. Ids that share their
    /// end gain nothing, and cost only the lengths of what they share.
    @Test(arguments: [("019b77ba-0000-", "", 9600), ("", "@mobile.production.example.com", 13_500)])
    func `ids take the bytes that they do not share`(beginning: String, end: String, most: Int) {
        var random = SeededRandom(seed: 9)
        let ids = (0..<1000).map { _ in SampleColumn.Value.text(beginning + String(random.next() | 1 << 63, radix: 16) + end) }
        let sizes = [ColumnBuilder.Texts.each, .prefixed].map { texts in
            ParquetBytes.file([[SampleColumn(column: ParquetColumn("id", .text), texts: texts, values: ids)]]).count
        }
        #expect(sizes[1] < most && sizes[1] * 10 < sizes[0] * 11, "\(sizes)")
    }

    @Test func `a chunk that gzip hardly shrinks stays as it is`() throws {
        var random = SeededRandom(seed: 3)
        let noise = SampleColumn(column: ParquetColumn("d", .double), values: (0..<2000).map { _ in .double(random.next() >> 2) })
        let zeros = SampleColumn(column: ParquetColumn("t", .text), texts: .each, values: (0..<2000).map { _ in .text("the same text") })
        let bytes = ParquetBytes.file([[noise, zeros]])
        // 16,000 bytes of noise, and next to nothing of the rest.
        #expect((16_000..<16_900).contains(bytes.count))
        #expect(try ParquetBytes.contents(bytes) == [[noise.values, zeros.values]])
    }

    @Test func `files that are not Parquet are refused`() throws {
        #expect(throws: ParquetError.self) { try ParquetBytes.reader([]) }
        #expect(throws: ParquetError.self) { try ParquetBytes.reader(Array("PAR1 and nothing else PAR1".utf8)) }
        let error = #expect(throws: ParquetError.self) { try ParquetBytes.reader(Array(repeating: 7, count: 100)) }
        #expect(error?.kind == .notParquet && error?.byteOffset == 0)
        #expect("\(try #require(error))" == "byte 0: the file does not begin with PAR1")
    }
}

extension SampleColumn {
    /// This column with the name of another. Where the kinds differ, its values are those of the other, repeated.
    fileprivate func like(_ other: SampleColumn) -> SampleColumn {
        if column.kind == other.column.kind { return SampleColumn(column: other.column, texts: texts, values: values) }
        var same = other
        same.values = values.indices.map { other.values.isEmpty ? nil : other.values[$0 % other.values.count] }
        return same
    }
}
