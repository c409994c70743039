import Basics

/// Turns a column's values into the pages of a column chunk. Texts that repeat, and numbers with few different values, become codes of a
/// dictionary. Other `int64` values become differences. Ids lose the beginning that they share with the id before. All else stays as it is.
struct ChunkEncoder {
    struct Page {
        let type: ParquetFormat.PageType
        let values: Int
        let encoding: ParquetFormat.Encoding
        let range: Range<Int>
    }

    static let rowsPerPage = 1 << 16
    /// A page ends with the text that reaches this many bytes.
    static let textBytesPerPage = 1 << 20

    let pages: ByteBuffer
    private(set) var list: [Page] = []
    private let builder: ColumnBuilder
    private let values: ColumnBuilder.Collected
    private let rows: Int
    /// Each value's code in the dictionary; empty without one.
    private var codes: [UInt32] = []
    private var codeWidth = 0
    private var encoding = ParquetFormat.Encoding.plain

    init(_ builder: ColumnBuilder, rows: Int) {
        (self.builder, values, self.rows) = (builder, builder.values, rows)
        // Columns that keep every text need the most memory. It is reserved at once: a growing buffer needs twice as much while it copies.
        let texts = builder.texts.keepsEach ? values.bytes.count + values.count * 4 + rows / 4 : 0
        pages = ByteBuffer(capacity: texts + (1 << 16))
        choose()
        var row = 0
        var value = 0
        var run = 0
        while row < rows {
            let end = pageEnd(after: row, value: value)
            addPage(rows: row..<end, value: &value, run: &run)
            row = end
        }
        precondition(value == values.count, "column \(builder.column.name) has values beyond row \(rows)")
    }

    var encodings: [ParquetFormat.Encoding] {
        var found: [ParquetFormat.Encoding] = [.rle]
        for page in list where !found.contains(page.encoding) { found.append(page.encoding) }
        return found
    }

    private mutating func choose() {
        guard values.count > 0 || builder.texts == .dictionary && values.table.count > 0 else { return }
        switch builder.column.kind {
        case .flag: break
        case .double, .int32: useDictionary()
        case .int64: if !useDictionary() { encoding = .deltaBinaryPacked }
        case .text:
            if builder.texts == .prefixed { encoding = .deltaByteArray }
            if builder.texts.keepsEach { return }
            if builder.texts == .once, values.table.count * 4 > values.count * 3 { return }
            codes = values.codes
            addDictionary(values.table, Self.append)
        }
    }

    @discardableResult
    private mutating func useDictionary() -> Bool {
        // With more different values than this a dictionary does not pay.
        let most = min(values.integers.count / 4 + 16, 1 << 16)
        var table = TextTable()
        var codes: [UInt32] = []
        codes.reserveCapacity(values.integers.count)
        for value in values.integers {
            codes.append(UInt32(withUnsafeBytes(of: value.littleEndian) { table.number(of: $0) }))
            if table.count > most { return false }
        }
        self.codes = codes
        let size = builder.column.kind.plainBytes
        addDictionary(table) { $1.append(UnsafeRawBufferPointer(rebasing: $0.prefix(size))) }
        return true
    }

    private mutating func addDictionary(_ table: TextTable, _ append: (UnsafeRawBufferPointer, ByteBuffer) -> Void) {
        encoding = .rleDictionary
        codeWidth = BitPacking.width(UInt64(max(table.count - 1, 0)))
        let start = pages.count
        for code in 0..<table.count { append(table.text(code), pages) }
        list.append(Page(type: .dictionary, values: table.count, encoding: .plain, range: start..<pages.count))
    }

    private func pageEnd(after row: Int, value: Int) -> Int {
        let end = min(row + Self.rowsPerPage, rows)
        guard encoding != .rleDictionary, builder.column.kind == .text else { return end }
        // A page has fewer rows where texts are long. A row without a value counts as if it had the next one, so a page may end too early.
        var (bytes, last) = (0, row)
        var index = value
        while last < end, bytes < Self.textBytesPerPage {
            if index < values.count {
                bytes += 4 + text(index).count
                index += 1
            }
            last += 1
        }
        return last
    }

    private mutating func addPage(rows: Range<Int>, value: inout Int, run: inout Int) {
        let start = pages.count
        let first = value
        pages.append([0, 0, 0, 0])
        var levels = HybridEncoder(width: 1, to: pages)
        var row = rows.lowerBound
        while row < rows.upperBound {
            guard run < values.runs.count, values.runs[run].start < rows.upperBound else {
                levels.append(0, count: rows.upperBound - row)
                break
            }
            let (runStart, runEnd) = (values.runs[run].start, values.runs[run].end)
            if runStart > row { levels.append(0, count: runStart - row) }
            let present = max(runStart, row)..<min(runEnd, rows.upperBound)
            levels.append(1, count: present.count)
            value += present.count
            row = present.upperBound
            if runEnd > rows.upperBound { break }
            run += 1
        }
        levels.finish()
        let size = UInt32(pages.count - start - 4)
        for byte in 0..<4 { pages.base[start + byte] = UInt8(truncatingIfNeeded: size >> UInt32(8 * byte)) }
        appendValues(first..<value)
        list.append(Page(type: .data, values: rows.count, encoding: encoding, range: start..<pages.count))
    }

    private func appendValues(_ range: Range<Int>) {
        switch encoding {
        case .rleDictionary:
            pages.append(UInt8(codeWidth))
            var encoder = HybridEncoder(width: codeWidth, to: pages)
            codes.withUnsafeBufferPointer { codes in
                var index = range.lowerBound
                while index < range.upperBound {
                    var end = index + 1
                    while end < range.upperBound, codes[end] == codes[index] { end += 1 }
                    encoder.append(UInt64(codes[index]), count: end - index)
                    index = end
                }
            }
            encoder.finish()
        case .deltaBinaryPacked:
            values.integers.withUnsafeBufferPointer { DeltaEncoder.append(UnsafeBufferPointer(rebasing: $0[range]), to: pages) }
        case .deltaByteArray: DeltaEncoder.append(range.lazy.map(text), to: pages)
        case .plain, .rle: appendPlain(range)
        }
    }

    private func appendPlain(_ range: Range<Int>) {
        switch builder.column.kind {
        case .int32: for value in values.integers[range] { pages.append(littleEndian: UInt32(truncatingIfNeeded: value)) }
        case .int64, .double: for value in values.integers[range] { pages.append(littleEndian: value) }
        case .flag:
            let bits = values.flags[range].map { $0 ? UInt64(1) : 0 }
            bits.withUnsafeBufferPointer { BitPacking.append($0, width: 1, to: pages) }
        case .text: for index in range { Self.append(text(index), to: pages) }
        }
    }

    private func text(_ index: Int) -> UnsafeRawBufferPointer {
        builder.texts.keepsEach ? values.text(index) : values.table.text(Int(values.codes[index]))
    }

    private static func append(_ text: UnsafeRawBufferPointer, to pages: ByteBuffer) {
        pages.append(littleEndian: UInt32(text.count))
        pages.append(text)
    }
}
