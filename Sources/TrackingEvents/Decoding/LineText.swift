public import Basics

/// Where a text stands on a line: a range of its bytes, so that taking it costs nothing.
///
/// Offsets count from the first byte of what was scanned (the line, or the `props` that a ``PropertyReader`` was given).
public struct LineText: Sendable, Hashable {
    @usableFromInline let start: UInt32
    /// The length, and in the lowest bit whether there are escapes.
    @usableFromInline let packed: UInt32

    /// Stands for a key that the line does not have.
    public static let missing = LineText(start: 0, packed: 0)

    private init(start: UInt32, packed: UInt32) {
        self.start = start
        self.packed = packed
    }

    @inline(__always)
    package init(_ range: Range<Int>, hasEscapes: Bool = false) {
        start = UInt32(truncatingIfNeeded: range.lowerBound)
        packed = UInt32(truncatingIfNeeded: range.count) << 1 | (hasEscapes ? 1 : 0)
    }

    /// The bytes on the line, without quotes.
    public var range: Range<Int> {
        @inlinable @inline(__always) get { Int(start)..<Int(start) + Int(packed >> 1) }
    }

    /// Whether the bytes hold JSON escapes, so that they are not yet the text.
    public var hasEscapes: Bool {
        @inlinable @inline(__always) get { packed & 1 != 0 }
    }

    /// Whether there is nothing: the key is missing, `null` or `""`.
    public var isEmpty: Bool {
        @inlinable @inline(__always) get { packed >> 1 == 0 }
    }

    /// Whether the line has no such key, or `null` for it.
    public var isMissing: Bool {
        // A line begins with a brace, so no text stands at its very beginning.
        @inlinable @inline(__always) get { start == 0 && packed == 0 }
    }

    /// The bytes as they stand, escapes undone nowhere.
    ///
    /// - Parameter line: what was scanned.
    @inlinable
    @inline(__always)
    public func bytes(in line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: line[range])
    }

    /// The text. Escapes are undone; broken UTF-8 and halves of surrogate pairs become U+FFFD.
    ///
    /// - Parameter line: what was scanned.
    public func string(in line: UnsafeRawBufferPointer) -> String {
        guard hasEscapes else { return String(decoding: bytes(in: line), as: UTF8.self) }
        let decoded = ByteBuffer(capacity: range.count)
        JSONUnescaping.append(bytes(in: line), to: decoded)
        return decoded.text
    }

    /// The text's bytes with escapes undone: a part of the line where there are none, else the contents of `scratch`, which
    /// stay valid until it is used again.
    @inlinable
    @inline(__always)
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
