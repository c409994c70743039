import Basics

/// Turns the pages of a column chunk back into values. The chunk's checksum was right, and yet every length and count is checked.
struct ChunkDecoder {
    private struct Page {
        let type: ParquetFormat.PageType
        let rawBytes: Int
        let values: Int
        let encoding: ParquetFormat.Encoding?
        let levelEncoding: ParquetFormat.Encoding?
        let range: Range<Int>
    }

    private let chunk: FileFooter.Chunk
    private let bytes: UnsafeRawBufferPointer
    private let column: ParquetColumn
    private let rows: Int
    private let gzip = GzipPage()
    /// Where in the file the current page begins.
    private var origin: Int64
    private var unpacked = ByteBuffer(capacity: 64)

    private var row = 0
    /// The rows that have a value; `nil` while all have one. Packed bits, as levels of fewer than eight rows are, begin the list.
    private var present: [UInt32]?
    /// Whole numbers, or the bits of doubles.
    private var integers: [Int64] = []
    private var flags: [Bool] = []
    private var codes: [UInt32] = []
    /// All texts, the dictionary's first.
    private var texts = ByteBuffer(capacity: 64)
    private var spans: [ColumnTexts.Span] = []
    private var dictionaryCount: Int?
    private var dictionaryIntegers: [Int64] = []

    /// - Parameter bytes: the bytes of the chunk. The decoder may load ``BitPacking/padding`` bytes behind them.
    init(_ chunk: FileFooter.Chunk, _ bytes: UnsafeRawBufferPointer, _ column: ParquetColumn, rows: Int) {
        (self.chunk, self.bytes, self.column, self.rows) = (chunk, bytes, column, rows)
        origin = chunk.offset
    }

    mutating func values() throws(ParquetError) -> ColumnValues {
        switch column.kind {
        case .int32, .int64, .double: integers.reserveCapacity(rows)
        case .flag: flags.reserveCapacity(rows)
        case .text: codes.reserveCapacity(rows)
        }
        var offset = 0
        while offset < bytes.count {
            let page = try page(at: offset)
            switch page.type {
            case .dictionary:
                guard offset == 0 else { throw malformed("a dictionary after data") }
                try takeDictionary(page)
            case .data: try takeData(page)
            }
            offset = page.range.upperBound
        }
        origin = chunk.offset
        guard row == rows else { throw malformed("\(row) values where there are \(rows) rows") }
        let storage: ColumnValues.Storage =
            switch column.kind {
            case .int32, .int64: .integers(integers)
            case .double: .doubles(integers.map { Double(bitPattern: UInt64(bitPattern: $0)) })
            case .flag: .flags(flags)
            case .text: .texts(ColumnTexts(texts, spans: spans), codes)
            }
        return ColumnValues(column: column, rows: rows, present: present?.count == rows ? nil : present, storage: storage)
    }

    mutating func dictionaryTexts() throws(ParquetError) -> ColumnTexts {
        let page = try page(at: 0)
        guard page.type == .dictionary else { throw malformed("the chunk does not begin with its dictionary") }
        try takeDictionary(page)
        return ColumnTexts(texts, spans: spans)
    }

    private func malformed(_ message: String) -> ParquetError { ParquetError(.malformed, at: origin, "column \(column.name): \(message)") }

    private mutating func page(at offset: Int) throws(ParquetError) -> Page {
        origin = chunk.offset + Int64(offset)
        var reader = ThriftReader(bytes: UnsafeRawBufferPointer(rebasing: bytes[offset...]), origin: origin)
        let header = try reader.structure()
        let type = header[1].integer.flatMap(ParquetFormat.PageType.init)
        let head = header[type == .dictionary ? 7 : 5]
        guard let type, let rawBytes = header[2].integer, let count = header[3].integer, let values = head[1].integer,
            (0...Int64(bytes.count - offset - reader.offset)).contains(count), (0...ParquetFormat.maxRowsOfGroup).contains(values),
            (0...ParquetFormat.maxPageBytes).contains(rawBytes)
        else { throw malformed("the head of a page contradicts the chunk") }
        let start = offset + reader.offset
        return Page(
            type: type, rawBytes: Int(rawBytes), values: Int(values), encoding: head[2].integer.flatMap(ParquetFormat.Encoding.init),
            levelEncoding: head[3].integer.flatMap(ParquetFormat.Encoding.init), range: start..<start + Int(count))
    }

    private func contents(of page: Page) throws(ParquetError) -> UnsafeRawBufferPointer {
        let body = UnsafeRawBufferPointer(rebasing: bytes[page.range])
        switch chunk.codec {
        case .uncompressed:
            guard body.count == page.rawBytes else { throw malformed("a page has two sizes") }
            return body
        case .gzip:
            let size = page.rawBytes
            // Deflate packs 1,032 bytes into one at best: a page that claims more is refused before memory is taken.
            guard size / 1040 <= body.count else { throw malformed("a page claims \(size) bytes") }
            unpacked.removeAll()
            unpacked.reserve(size + BitPacking.padding)
            guard gzip.unpack(body, to: UnsafeMutableRawBufferPointer(start: unpacked.base, count: size)) else {
                throw malformed("a page cannot be unpacked")
            }
            unpacked.advance(by: size)
            return unpacked.raw
        }
    }

    private mutating func takeDictionary(_ page: Page) throws(ParquetError) {
        let body = try contents(of: page)
        guard page.encoding == .plain else { throw malformed("a dictionary that is not plain") }
        let count = page.values
        dictionaryCount = count
        switch column.kind {
        case .flag: throw malformed("a dictionary in a column of booleans")
        case .text: _ = try takeTexts(count, body)
        case .int32, .int64, .double: dictionaryIntegers = try plainIntegers(count, body)
        }
    }

    private mutating func takeData(_ page: Page) throws(ParquetError) {
        let (count, values) = try levels(of: page, contents(of: page))
        switch page.encoding {
        case .rleDictionary: try takeCodes(count, values)
        case .deltaBinaryPacked:
            guard column.kind == .int64 else { throw malformed("delta encoding of a column that is not of 64-bit integers") }
            var decoder = try DeltaDecoder(values, at: origin)
            try decoder.append(count, to: &integers)
        case .deltaByteArray: try takePrefixed(count, values)
        case .plain: try takePlain(count, values)
        case .rle, nil: throw malformed("no such encoding of values")
        }
    }

    /// Reads which rows of a page have a value. Returns how many have one, and the bytes of their values.
    private mutating func levels(
        of page: Page, _ body: UnsafeRawBufferPointer
    ) throws(ParquetError) -> (count: Int, values: UnsafeRawBufferPointer) {
        guard page.values <= rows - row, body.count >= 4, page.levelEncoding == .rle else {
            throw malformed("a page does not fit its column")
        }
        let levelBytes = Int(body.loadUnaligned(as: UInt32.self).littleEndian)
        guard levelBytes <= body.count - 4 else { throw malformed("levels are longer than their page") }
        let levels = UnsafeRawBufferPointer(rebasing: body[4..<4 + levelBytes])
        var decoder = HybridDecoder(levels, width: 1, at: origin)
        var count = 0
        try decoder.forEachRun(page.values) { run throws(ParquetError) in
            switch run {
            case .repeated(0, let length):
                lackValues()
                row += length
            case .repeated(_, let length):
                if present != nil { for row in row..<row + length { present?.append(UInt32(row)) } }
                count += length
                row += length
            case .packed(let start, let length):
                lackValues()
                for index in 0..<length where levels[start + index / 8] >> UInt8(index % 8) & 1 == 1 {
                    present?.append(UInt32(row + index))
                    count += 1
                }
                row += length
            }
        }
        return (count, UnsafeRawBufferPointer(rebasing: body[(4 + levelBytes)...]))
    }

    /// Makes the list of rows that have a value, if there is none: all rows so far have one.
    private mutating func lackValues() { if present == nil { present = (0..<UInt32(row)).map { $0 } } }

    private mutating func takeCodes(_ count: Int, _ values: UnsafeRawBufferPointer) throws(ParquetError) {
        guard let entries = dictionaryCount else { throw malformed("codes of a dictionary that is not there") }
        guard let width = values.first, width <= 32 else { throw malformed("codes of too many bits") }
        let packed = UnsafeRawBufferPointer(rebasing: values[1...])
        var decoder = HybridDecoder(packed, width: Int(width), at: origin)
        // A text's code stays as it is; a number's becomes the number.
        var found = exchange(&codes, with: [])
        let first = found.count
        found.append(contentsOf: repeatElement(0, count: count))
        var largest: UInt32 = 0
        try found.withUnsafeMutableBufferPointer { found throws(ParquetError) in
            var filled = first
            try decoder.forEachRun(count) { run throws(ParquetError) in
                switch run {
                case .repeated(let value, let length):
                    let code = UInt32(truncatingIfNeeded: value)
                    largest = max(largest, code)
                    found[filled..<filled + length].update(repeating: code)
                    filled += length
                case .packed(let start, let length):
                    guard let base = packed.baseAddress else { throw malformed("packed codes without bytes") }
                    // A code of at most 32 bits lies in one load, wherever it begins.
                    let (bytes, mask, room) = (base + start, (UInt64(1) << UInt64(width)) - 1, found.extracting(filled..<filled + length))
                    var (bit, most) = (0, UInt32(0))
                    for index in room.indices {
                        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self))
                        let code = UInt32(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: bit & 7) & mask)
                        room[index] = code
                        most = max(most, code)
                        bit &+= Int(width)
                    }
                    largest = max(largest, most)
                    filled += length
                }
            }
        }
        guard count == 0 || Int(largest) < entries else { throw malformed("a code beyond the dictionary") }
        switch column.kind {
        case .text: codes = found
        case .int32, .int64, .double: for code in found { integers.append(dictionaryIntegers[Int(code)]) }
        case .flag: throw malformed("dictionary codes in a column of booleans")
        }
    }

    private mutating func takePlain(_ count: Int, _ values: UnsafeRawBufferPointer) throws(ParquetError) {
        switch column.kind {
        case .int32, .int64, .double: integers += try plainIntegers(count, values)
        case .flag:
            guard values.count >= (count + 7) / 8 else { throw malformed("the values end too early") }
            for index in 0..<count { flags.append(values[index / 8] >> UInt8(index % 8) & 1 == 1) }
        case .text:
            let first = try takeTexts(count, values)
            codes += (first..<first + count).map { UInt32($0) }
        }
    }

    /// Adds texts. Each is stored without the beginning that it shares with the text before.
    private mutating func takePrefixed(_ count: Int, _ values: UnsafeRawBufferPointer) throws(ParquetError) {
        guard column.kind == .text else { throw malformed("shared prefixes in a column that is not of texts") }
        var rest = values
        func numbers() throws(ParquetError) -> [Int64] {
            var (decoder, numbers) = (try DeltaDecoder(rest, at: origin), [Int64]())
            numbers.reserveCapacity(count)
            try decoder.append(count, to: &numbers)
            rest = UnsafeRawBufferPointer(rebasing: rest[decoder.offset...])
            return numbers
        }
        let (shared, lengths) = (try numbers(), try numbers())
        var total = Int64(texts.count)
        for (shared, length) in zip(shared, lengths) where total <= ParquetFormat.maxPageBytes {
            total += max(0, min(shared, ParquetFormat.maxPageBytes)) + max(0, min(length, ParquetFormat.maxPageBytes))
        }
        guard total <= ParquetFormat.maxPageBytes else { throw malformed("texts of more than \(ParquetFormat.maxPageBytes) bytes") }
        texts.reserve(Int(total) - texts.count)
        spans.reserveCapacity(spans.count + count)
        var last = 0..<0
        for (shared, length) in zip(shared, lengths) {
            guard (0...Int64(last.count)).contains(shared), (0...Int64(rest.count)).contains(length) else {
                throw malformed("a text is longer than its page")
            }
            let start = texts.count
            texts.append(UnsafeRawBufferPointer(rebasing: texts.raw[last.prefix(Int(shared))]))
            texts.append(UnsafeRawBufferPointer(rebasing: rest.prefix(Int(length))))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Int(length)))
            last = start..<texts.count
            codes.append(UInt32(spans.count))
            spans.append(ColumnTexts.Span(start: UInt32(start), count: UInt32(last.count)))
        }
    }

    private func plainIntegers(_ count: Int, _ values: UnsafeRawBufferPointer) throws(ParquetError) -> [Int64] {
        let size = column.kind.plainBytes
        guard count <= values.count / size else { throw malformed("the values end too early") }
        return (0..<count).map { index in
            size == 4
                ? Int64(Int32(littleEndian: values.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)))
                : Int64(littleEndian: values.loadUnaligned(fromByteOffset: index * 8, as: Int64.self))
        }
    }

    /// Adds texts, each stored behind its length, and returns the index of the first.
    private mutating func takeTexts(_ count: Int, _ values: UnsafeRawBufferPointer) throws(ParquetError) -> Int {
        let first = spans.count
        spans.reserveCapacity(first + min(count, values.count / 4))
        let base: Int
        if texts.count == 0, chunk.codec == .gzip, let start = values.baseAddress {
            // The unpacked bytes are those of this page, and nothing else needs them: they become the texts.
            (texts, unpacked) = (unpacked, ByteBuffer(capacity: 64))
            base = start - UnsafeRawPointer(texts.base)
        } else {
            base = texts.count
            texts.append(values)
        }
        guard texts.count <= UInt32.max else { throw malformed("texts of more than 4 GiB") }
        var offset = 0
        for _ in 0..<count {
            guard offset + 4 <= values.count else { throw malformed("the texts end too early") }
            let length = Int(values.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian)
            offset += 4
            guard length <= values.count - offset else { throw malformed("a text is longer than its page") }
            spans.append(ColumnTexts.Span(start: UInt32(truncatingIfNeeded: base + offset), count: UInt32(truncatingIfNeeded: length)))
            offset += length
        }
        return first
    }
}
