import Testing
import TrackingEvents
import Basics

/// Everything that is written passes through a `ByteBuffer`, so it is compared with an array over random operations.
@Suite struct ByteBufferTests {
    @Test func `bytes stay what they were while the buffer grows`() {
        let buffer = ByteBuffer(capacity: 1)
        for number in 0..<10_000 { buffer.append(UInt8(truncatingIfNeeded: number)) }
        #expect(Array(buffer.bytes) == (0..<10_000).map { UInt8(truncatingIfNeeded: $0) })
        #expect(buffer.capacity >= buffer.count)
    }

    @Test func `reserved room takes as many unchecked appends as were reserved`() {
        let buffer = ByteBuffer(capacity: 16)
        buffer.append("0123456789")
        buffer.reserve(1_000)
        #expect(buffer.capacity - buffer.count >= 1_000)
        for _ in 0..<1_000 { buffer.appendUnchecked(7) }
        #expect(buffer.count == 1_010)
        #expect(buffer.text.hasPrefix("0123456789"))
    }

    @Test func `one reservation larger than twice the size is granted`() {
        let buffer = ByteBuffer(capacity: 16)
        buffer.reserve(100_000)
        #expect(buffer.capacity >= 100_000)
    }

    @Test func `a buffer can be cut, emptied and shortened at its front`() {
        let buffer = ByteBuffer(capacity: 16)
        buffer.append("abcdefgh")
        buffer.truncate(to: 6)
        #expect(buffer.text == "abcdef")
        buffer.removeFirst(2)
        #expect(buffer.text == "cdef")
        buffer.removeFirst(0)
        #expect(buffer.text == "cdef")
        buffer.removeFirst(4)
        #expect(buffer.count == 0)
        buffer.append("x")
        buffer.removeAll()
        #expect(buffer.text == "")
    }

    @Test func `empty pieces change nothing`() {
        let buffer = ByteBuffer(capacity: 16)
        buffer.append(UnsafeBufferPointer(start: nil, count: 0))
        buffer.append([])
        buffer.append("")
        #expect(buffer.count == 0)
    }

    @Test func `collections without contiguous storage are taken byte by byte`() {
        let buffer = ByteBuffer(capacity: 16)
        buffer.append((UInt8(1)...5).lazy.map { $0 * 2 }.reversed().map { $0 })
        buffer.append(stride(from: UInt8(0), to: 3, by: 1).map { $0 })
        buffer.append("x".utf8)
        #expect(Array(buffer.bytes) == [10, 8, 6, 4, 2, 0, 1, 2, 120])
    }

    @Test func `bytes that a C function wrote are counted by advancing`() {
        let buffer = ByteBuffer(capacity: 16)
        buffer.reserve(4)
        for place in 0..<4 { buffer.base[buffer.count + place] = UInt8(65 + place) }
        buffer.advance(by: 4)
        #expect(buffer.text == "ABCD")
        buffer.advance(by: 0)
        #expect(buffer.count == 4)
    }

    @Test func `broken UTF-8 is shown as replacement characters`() {
        let buffer = ByteBuffer(capacity: 16)
        buffer.append([0x61, 0xFF, 0x62])
        #expect(buffer.text == "a\u{FFFD}b")
    }

    @Test(arguments: [UInt64(1), 2, 3, 4])
    func `random operations agree with an array`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let buffer = ByteBuffer(capacity: 1)
        var model: [UInt8] = []
        for _ in 0..<3_000 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                let byte = UInt8(truncatingIfNeeded: random.next())
                buffer.append(byte)
                model.append(byte)
            case 1, 2:
                let bytes = (0..<Int.random(in: 0..<50, using: &random)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                bytes.withUnsafeBufferPointer { buffer.append($0) }
                model += bytes
            case 3:
                let count = Int.random(in: 0...model.count, using: &random)
                buffer.removeFirst(count / 8)
                model.removeFirst(count / 8)
            case 4:
                let count = model.count - Int.random(in: 0...model.count, using: &random) / 16
                buffer.truncate(to: count)
                model.removeSubrange(count...)
            default:
                buffer.reserve(Int.random(in: 0..<200, using: &random))
            }
            #expect(buffer.count == model.count)
        }
        #expect(Array(buffer.bytes) == model)
        #expect(Array(buffer.raw) == model)
    }
}
