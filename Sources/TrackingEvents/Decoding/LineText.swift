public import Basics

/// A text on a line as a range of its bytes, so that reading it copies nothing. Offsets count from the first byte of what was scanned (the
/// line, or the `props` that a ``PropertyReader`` was given).
@usableFromInline
package struct LineText: Sendable, Hashable {
    @usableFromInline let start: UInt32
    /// The length, shifted by one; the lowest bit says whether there are escapes.
    @usableFromInline let packed: UInt32

    package static let missing = LineText(start: 0, packed: 0)

    private init(start: UInt32, packed: UInt32) { (self.start, self.packed) = (start, packed) }

    @inline(__always)
    package init(_ range: Range<Int>, hasEscapes: Bool = false) {
        start = UInt32(truncatingIfNeeded: range.lowerBound)
        packed = UInt32(truncatingIfNeeded: range.count) << 1 | (hasEscapes ? 1 : 0)
    }

    /// The range of its bytes on the line, without quotes.
    @inlinable @inline(__always)
    package var range: Range<Int> { Int(start)..<Int(start) + Int(packed >> 1) }

    /// Whether the bytes hold JSON escapes, and so are not the text yet.
    @inlinable @inline(__always)
    package var hasEscapes: Bool { packed & 1 != 0 }

    /// Whether there is no text: the key is missing, or its value is `null` or `""`.
    @inlinable @inline(__always)
    package var isEmpty: Bool { packed >> 1 == 0 }

    /// Whether the line has no such key, or `null` for it. No text is at offset 0 of a line, because a brace is there.
    @inlinable @inline(__always)
    package var isMissing: Bool { start == 0 && packed == 0 }

    /// The bytes as they stand, with escapes. `line` holds the scanned bytes.
    @inlinable @inline(__always)
    package func bytes(in line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: line[range]) }

    /// The text. `line` holds the scanned bytes. Escapes are undone; broken UTF-8 and halves of surrogate pairs become U+FFFD.
    package func string(in line: UnsafeRawBufferPointer) -> String {
        guard hasEscapes else { return String(decoding: bytes(in: line), as: UTF8.self) }
        return ByteBuffer.text(capacity: range.count) { JSONUnescaping.append(bytes(in: line), to: $0) }
    }

    /// The text's bytes with escapes undone: a part of the line if it has none, otherwise the bytes of `scratch`, valid until its next use.
    @inlinable @inline(__always)
    package func unescaped(in line: UnsafeRawBufferPointer, scratch: ByteBuffer) -> UnsafeRawBufferPointer {
        hasEscapes ? undoingEscapes(in: line, scratch: scratch) : bytes(in: line)
    }

    @usableFromInline
    package func undoingEscapes(in line: UnsafeRawBufferPointer, scratch: ByteBuffer) -> UnsafeRawBufferPointer {
        scratch.removeAll()
        JSONUnescaping.append(bytes(in: line), to: scratch)
        return scratch.raw
    }
}
