/// Reads numbers that ``DeltaEncoder`` wrote.
package struct DeltaDecoder {
    private let bytes: UnsafeRawBufferPointer
    private let origin: Int64
    /// The offset behind the bytes that were read so far.
    private(set) var offset = 0
    private var isFirst = true
    private var last: Int64 = 0
    /// How many numbers are still to be read according to the head. The bytes may end before that.
    package private(set) var left = 0

    /// The bytes begin at `origin` in the file. The decoder may load ``BitPacking/padding`` bytes behind them.
    package init(_ bytes: UnsafeRawBufferPointer, at origin: Int64) throws(ParquetError) {
        self.bytes = bytes
        self.origin = origin
        let (block, miniblocks, total) = (try varint(), try varint(), try varint())
        guard block == DeltaEncoder.blockValues, miniblocks == DeltaEncoder.miniblocks, total <= UInt64(Int.max) else {
            throw malformed("\(total) numbers in blocks of \(block) differences in \(miniblocks) parts")
        }
        left = Int(total)
        last = try zigzag()
    }

    /// Appends all numbers. Throws unless there are exactly `count`.
    mutating func append(_ count: Int, to values: inout [Int64]) throws(ParquetError) {
        guard left == count else { throw malformed("\(left) numbers where there are \(count) values") }
        while left > 0 { try appendBlock(to: &values) }
    }

    /// Appends the numbers of the next block; none if all have been read.
    package mutating func appendBlock(to values: inout [Int64]) throws(ParquetError) {
        if isFirst, left > 0 {
            isFirst = false
            left -= 1
            values.append(last)
        }
        guard left > 0 else { return }
        let least = try zigzag()
        guard bytes.count - offset >= DeltaEncoder.miniblocks else { throw endsTooEarly }
        let perMiniblock = DeltaEncoder.blockValues / DeltaEncoder.miniblocks
        let widths = bytes[offset..<offset + DeltaEncoder.miniblocks]
        offset += widths.count
        for width in widths.lazy.map({ Int($0) }) where left > 0 {
            guard width <= 64, perMiniblock * width / 8 <= bytes.count - offset, let base = bytes.baseAddress else { throw endsTooEarly }
            let taken = min(left, perMiniblock)
            let filled = values.count
            let start = base + offset
            var sum = last
            values.append(contentsOf: repeatElement(0, count: taken))
            values.withUnsafeMutableBufferPointer { values in
                for index in 0..<taken {
                    sum = sum &+ least &+ Int64(bitPattern: BitPacking.value(at: index, width: width, in: start))
                    values[filled &+ index] = sum
                }
            }
            last = sum
            left -= taken
            offset += perMiniblock * width / 8
        }
    }

    private mutating func varint() throws(ParquetError) -> UInt64 {
        guard let number = bytes.varint(at: &offset) else { throw endsTooEarly }
        return number
    }

    private mutating func zigzag() throws(ParquetError) -> Int64 {
        guard let number = bytes.zigzag(at: &offset) else { throw endsTooEarly }
        return number
    }

    private var endsTooEarly: ParquetError { malformed("the differences end too early") }

    private func malformed(_ message: String) -> ParquetError { ParquetError(.malformed, at: origin, message) }
}
