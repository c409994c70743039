/// A growing run of bytes that is written through a plain pointer.
///
/// The line encoder and the file writer pass every byte through one of these. An array would check uniqueness and bounds
/// at each append, and could not be handed from thread to thread by reference. Not `Sendable`: its owner guards it.
@usableFromInline
package final class ByteBuffer {
    private struct Storage {
        var base: UnsafeMutablePointer<UInt8>
        var count: Int
        var capacity: Int
    }

    /// Behind a pointer: each access to a stored property of a class is checked for exclusivity while the program runs, which was nearly half
    /// of what an event cost its caller (`Benchmarks record`).
    private let storage: UnsafeMutablePointer<Storage>

    package init(capacity: Int) {
        let capacity = max(capacity, 16)
        storage = .allocate(capacity: 1)
        storage.initialize(to: Storage(base: .allocate(capacity: capacity), count: 0, capacity: capacity))
    }

    deinit {
        base.deallocate()
        storage.deallocate()
    }

    package private(set) var base: UnsafeMutablePointer<UInt8> {
        @inline(__always) get { storage.pointee.base }
        @inline(__always) set { storage.pointee.base = newValue }
    }

    package private(set) var count: Int {
        @inline(__always) get { storage.pointee.count }
        @inline(__always) set { storage.pointee.count = newValue }
    }

    package private(set) var capacity: Int {
        @inline(__always) get { storage.pointee.capacity }
        @inline(__always) set { storage.pointee.capacity = newValue }
    }

    /// Makes room for `more` bytes, so that so many unchecked appends are safe.
    @inline(__always)
    package func reserve(_ more: Int) {
        if capacity - count < more { grow(more) }
    }

    private func grow(_ more: Int) {
        let wanted = max(capacity * 2, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
        larger.update(from: base, count: count)
        base.deallocate()
        base = larger
        capacity = wanted
    }

    /// Appends without looking at the capacity: ``reserve(_:)`` came before.
    @inline(__always)
    package func appendUnchecked(_ byte: UInt8) {
        base[count] = byte
        count &+= 1
    }

    @inline(__always)
    package func append(_ byte: UInt8) {
        reserve(1)
        appendUnchecked(byte)
    }

    @inline(__always)
    package func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        (base + count).update(from: source, count: bytes.count)
        count &+= bytes.count
    }

    /// Appends text that needs no escaping.
    @inline(__always)
    package func append(_ text: StaticString) {
        text.withUTF8Buffer { append($0) }
    }

    package func append(_ bytes: some Collection<UInt8>) {
        let done: Void? = bytes.withContiguousStorageIfAvailable { append($0) }
        if done == nil { for byte in bytes { append(byte) } }
    }

    /// Forgets everything after `count` bytes.
    package func truncate(to count: Int) {
        precondition(count <= self.count)
        self.count = count
    }

    package func removeAll() { count = 0 }

    /// Takes the first `n` bytes away and moves the rest to the front.
    package func removeFirst(_ n: Int) {
        precondition(n <= count)
        base.update(from: base + n, count: count - n)
        count -= n
    }

    /// For writers that fill the memory themselves, as zlib does.
    package func advance(by n: Int) {
        precondition(n >= 0 && count + n <= capacity)
        count += n
    }

    package var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }
    package var raw: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    /// The bytes read as UTF-8; broken sequences become U+FFFD.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}
