/// Reads numbers that ``DeltaEncoder`` wrote, of any block size.
enum DeltaDecoder {
    /// Appends exactly `count` numbers.
    ///
    /// - Parameters:
    ///   - bytes: of a page; ``BitPacking/padding`` more may be loaded behind them.
    ///   - origin: where in the file the page begins.
    static func append(
        _ count: Int, of bytes: UnsafeRawBufferPointer, at origin: Int64, to values: inout [Int64]
    ) throws(ParquetError) {
        var place = 0
        func malformed(_ message: String) -> ParquetError { ParquetError(.malformed, at: origin, message) }
        func varint() throws(ParquetError) -> UInt64 {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while place < bytes.count, shift < 64 {
                let byte = bytes[place]
                place += 1
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return value }
                shift += 7
            }
            throw malformed("the differences end too early")
        }
        func zigzag() throws(ParquetError) -> Int64 {
            let value = try varint()
            return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
        }
        let (block, miniblocks, total) = (try varint(), try varint(), try varint())
        guard block % 128 == 0, block > 0, block <= 1 << 16, miniblocks > 0, block % miniblocks == 0, block / miniblocks % 32 == 0 else {
            throw malformed("blocks of \(block) differences in \(miniblocks) parts")
        }
        guard total == UInt64(count) else { throw malformed("\(total) numbers where there are \(count) values") }
        var last = try zigzag()
        guard count > 0 else { return }
        var filled = values.count
        values.append(contentsOf: repeatElement(last, count: count))
        filled += 1
        let perMiniblock = Int(block / miniblocks)
        var left = count - 1
        while left > 0 {
            let least = try zigzag()
            guard bytes.count - place >= Int(miniblocks) else { throw malformed("the differences end too early") }
            let widths = place
            place += Int(miniblocks)
            for miniblock in 0..<Int(miniblocks) where left > 0 {
                let width = Int(bytes[widths + miniblock])
                guard width <= 64, perMiniblock * width / 8 <= bytes.count - place, let base = bytes.baseAddress else {
                    throw malformed("the differences end too early")
                }
                let taken = min(left, perMiniblock)
                let start = base + place
                values.withUnsafeMutableBufferPointer { values in
                    for index in 0..<taken {
                        last = last &+ least &+ Int64(bitPattern: BitPacking.value(at: index, width: width, in: start))
                        values[filled &+ index] = last
                    }
                }
                filled += taken
                left -= taken
                place += perMiniblock * width / 8
            }
        }
    }
}
