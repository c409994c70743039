import Basics

/// Writes the format's hybrid of runs and packed bits (`Encodings.md`, RLE = 3), for definition levels and for codes of a dictionary.
struct HybridEncoder {
    private let output: ByteBuffer
    private let width: Int
    /// The values that are not written yet. They are packed in groups of eight.
    private var packed: [UInt64] = []

    /// - Parameter width: the bits of a value, 0 to 32.
    init(width: Int, to output: ByteBuffer) { (self.width, self.output) = (width, output) }

    /// Appends a value `count` times. Equal values side by side are best passed in one call.
    mutating func append(_ value: UInt64, count: Int) {
        // Most values come alone.
        if count == 1 { return packed.append(value) }
        var rest = count
        if packed.count % 8 != 0 {
            let filling = min(rest, 8 - packed.count % 8)
            packed.append(contentsOf: repeatElement(value, count: filling))
            rest -= filling
        }
        if rest >= 8 {
            finish()
            output.appendVarint(UInt64(rest) << 1)
            for byte in 0..<(width + 7) / 8 { output.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * byte))) }
        } else {
            packed.append(contentsOf: repeatElement(value, count: rest))
        }
    }

    /// Packs and writes the values that are not written yet. Must be called at the end.
    mutating func finish() {
        guard !packed.isEmpty else { return }
        let groups = (packed.count + 7) / 8
        // The last group is filled up; readers know how many values there are.
        packed.append(contentsOf: repeatElement(0, count: groups * 8 - packed.count))
        output.appendVarint(UInt64(groups) << 1 | 1)
        packed.withUnsafeBufferPointer { BitPacking.append($0, width: width, to: output) }
        packed.removeAll(keepingCapacity: true)
    }
}
