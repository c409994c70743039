/// Reads the format's hybrid of runs and packed bits (`Encodings.md`, RLE = 3).
struct HybridDecoder {
    enum Run {
        case repeated(UInt64, count: Int)
        /// Packed bits that begin at this offset of the decoder's bytes.
        case packed(start: Int, count: Int)
    }

    private let bytes: UnsafeRawBufferPointer
    private let width: Int
    private let origin: Int64
    private var offset = 0

    /// Values have `width` bits, 0 to 32. The bytes come from `origin` in the file. May load ``BitPacking/padding`` bytes behind them.
    init(_ bytes: UnsafeRawBufferPointer, width: Int, at origin: Int64) { (self.bytes, self.width, self.origin) = (bytes, width, origin) }

    mutating func forEachRun(_ count: Int, _ body: (Run) throws(ParquetError) -> Void) throws(ParquetError) {
        var left = count
        while left > 0 {
            guard let head = bytes.varint(at: &offset).flatMap({ UInt32(exactly: $0) }) else { throw malformed("the runs end too early") }
            if head & 1 == 0 {
                let length = Int(truncatingIfNeeded: head >> 1)
                guard length > 0 else { throw malformed("a run of no values") }
                let size = (width + 7) / 8
                guard size <= bytes.count - offset else { throw malformed("the runs end too early") }
                var value: UInt64 = 0
                for byte in 0..<size { value |= UInt64(bytes[offset + byte]) << UInt64(8 * byte) }
                offset += size
                guard width == 0 || value >> UInt64(width) == 0 else { throw malformed("a value has too many bits") }
                try body(.repeated(value, count: min(length, left)))
                left -= min(length, left)
            } else {
                let groups = Int(truncatingIfNeeded: head >> 1)
                guard groups > 0, groups <= (bytes.count - offset) / max(width, 1) || width == 0 && groups <= left else {
                    throw malformed("the packed values end too early")
                }
                let length = min(groups * 8, left)
                try body(.packed(start: offset, count: length))
                offset += groups * width
                left -= length
            }
        }
    }

    private func malformed(_ message: String) -> ParquetError { ParquetError(.malformed, at: origin, message) }
}
