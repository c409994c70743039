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
            // Differences may overflow and wrap around: a reader's sums wrap back.
            var least = values[start] &- values[start - 1]
            for index in 1..<max(count, 1) { least = min(least, values[start + index] &- values[start + index - 1]) }
            for index in 0..<blockValues {
                deltas[index] = index < count ? UInt64(bitPattern: values[start + index] &- values[start + index - 1] &- least) : 0
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

    /// Writes texts, each without the beginning that it shares with the text before (`Encodings.md`, DELTA_BYTE_ARRAY = 7). First come the
    /// lengths of the shared beginnings, then the lengths of the rests, then the rests.
    static func append(_ texts: some Sequence<UnsafeRawBufferPointer>, to output: ByteBuffer) {
        var (shared, lengths): ([Int64], [Int64]) = ([], [])
        let rest = ByteBuffer(capacity: 1 << 16)
        var before = UnsafeRawBufferPointer(start: nil, count: 0)
        for text in texts {
            let most = min(text.count, before.count)
            var count = 0
            while count < most, text[count] == before[count] { count += 1 }
            shared.append(Int64(count))
            lengths.append(Int64(text.count - count))
            rest.append(UnsafeRawBufferPointer(rebasing: text[count...]))
            before = text
        }
        for numbers in [shared, lengths] { numbers.withUnsafeBufferPointer { append($0, to: output) } }
        output.append(rest.raw)
    }
}
