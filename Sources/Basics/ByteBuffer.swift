/// A growing run of bytes, written through a plain pointer.
///
/// The line encoder and the file writer pass every byte through one of these. An array would check uniqueness and bounds
/// at each append, and could not be handed from thread to thread by reference. Not `Sendable`: its owner guards it.
///
/// What runs for each byte or field of a line is inlinable, because its callers are in other modules.
@usableFromInline
package final class ByteBuffer {
    @usableFromInline
    struct Storage {
        @usableFromInline var base: UnsafeMutablePointer<UInt8>
        @usableFromInline var count: Int
        @usableFromInline var capacity: Int
    }

    /// Behind a pointer: the runtime's check of each access to a class's property took nearly half of `record()` (`Benchmarks record`).
    @usableFromInline let storage: UnsafeMutablePointer<Storage>

    package init(capacity: Int) {
        let capacity = max(capacity, 16)
        storage = .allocate(capacity: 1)
        storage.initialize(to: Storage(base: .allocate(capacity: capacity), count: 0, capacity: capacity))
    }

    deinit {
        base.deallocate()
        storage.deallocate()
    }

    @inlinable @inline(__always) package var base: UnsafeMutablePointer<UInt8> { storage.pointee.base }
    @inlinable @inline(__always) package var count: Int { storage.pointee.count }
    @inlinable @inline(__always) package var capacity: Int { storage.pointee.capacity }

    /// Makes room for `more` bytes, so that this many unchecked appends are safe.
    @inlinable @inline(__always)
    package func reserve(_ more: Int) { if capacity - count < more { grow(more) } }

    @usableFromInline
    func grow(_ more: Int) {
        let wanted = max(capacity * 2, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
        larger.update(from: base, count: count)
        base.deallocate()
        storage.pointee.base = larger
        storage.pointee.capacity = wanted
    }

    /// Appends without a check of the capacity: call ``reserve(_:)`` before.
    @inlinable @inline(__always)
    package func appendUnchecked(_ byte: UInt8) {
        base[count] = byte
        storage.pointee.count &+= 1
    }

    @inlinable @inline(__always)
    package func append(_ byte: UInt8) {
        reserve(1)
        appendUnchecked(byte)
    }

    @inlinable @inline(__always)
    package func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        (base + count).update(from: source, count: bytes.count)
        storage.pointee.count &+= bytes.count
    }

    /// Appends text that needs no escaping.
    @inlinable @inline(__always)
    package func append(_ text: StaticString) { text.withUTF8Buffer { append($0) } }

    package func append(_ bytes: some Collection<UInt8>) {
        let done: Void? = bytes.withContiguousStorageIfAvailable { append($0) }
        if done == nil { for byte in bytes { append(byte) } }
    }

    @inlinable @inline(__always)
    package func append(_ bytes: UnsafeRawBufferPointer) { append(bytes.bindMemory(to: UInt8.self)) }

    @inlinable @inline(__always)
    package func append(littleEndian number: some FixedWidthInteger) { withUnsafeBytes(of: number.littleEndian) { append($0) } }

    package func truncate(to count: Int) {
        precondition(count <= self.count)
        storage.pointee.count = count
    }

    package func removeAll() { storage.pointee.count = 0 }

    /// Takes the first `n` bytes away and moves the rest to the front.
    package func removeFirst(_ n: Int) {
        precondition(n <= count)
        base.update(from: base + n, count: count - n)
        storage.pointee.count -= n
    }

    /// Counts `n` more bytes, for callers that have filled the memory themselves, as zlib does.
    @inlinable @inline(__always)
    package func advance(by n: Int) {
        precondition(n >= 0 && count + n <= capacity)
        storage.pointee.count += n
    }

    @inlinable @inline(__always) package var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }
    @inlinable @inline(__always) package var raw: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    /// The bytes read as UTF-8; broken sequences become U+FFFD.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The text of what `write` appends to an empty buffer.
    package static func text(capacity: Int, _ write: (ByteBuffer) -> Void) -> String {
        let bytes = ByteBuffer(capacity: capacity)
        write(bytes)
        return bytes.text
    }
}
