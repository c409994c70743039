package import Basics

/// Writes numbers as differences in packed bits (`Encodings.md`, DELTA_BINARY_PACKED = 5).
package enum DeltaEncoder {
    static let blockValues = 128
    static let miniblocks = 4

    package static func append(_ values: UnsafeBufferPointer<Int64>, to output: ByteBuffer) {
        output.appendVarint(UInt64(blockValues))
        output.appendVarint(UInt64(miniblocks))
        output.appendVarint(UInt64(values.count))
        output.appendZigzag(values.first ?? 0)
        let perMiniblock = blockValues / miniblocks
        var deltas = [UInt64](repeating: 0, count: blockValues)
        var start = 1
        while start < values.count {
            let count = min(blockValues, values.count - start)
            // Differences may wrap around, and so do the sums of those who read them.
            var least = values[start] &- values[start - 1]
            for index in 1..<max(count, 1) { least = min(least, values[start + index] &- values[start + index - 1]) }
            for index in 0..<blockValues {
                deltas[index] =
                    index < count ? UInt64(bitPattern: values[start + index] &- values[start + index - 1] &- least) : 0
            }
            output.appendZigzag(least)
            let widths = (0..<miniblocks).map { block in
                BitPacking.width(deltas[block * perMiniblock..<(block + 1) * perMiniblock].reduce(0, |))
            }
            for width in widths { output.append(UInt8(width)) }
            deltas.withUnsafeBufferPointer { deltas in
                for (block, width) in widths.enumerated() where block * perMiniblock < count {
                    let values = UnsafeBufferPointer(rebasing: deltas[block * perMiniblock..<(block + 1) * perMiniblock])
                    BitPacking.append(values, width: width, to: output)
                }
            }
            start += count
        }
    }
}
