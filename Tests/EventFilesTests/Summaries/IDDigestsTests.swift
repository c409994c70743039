import Basics
import ParquetFiles
import Testing
import TrackingEvents

@testable import EventFiles

@Suite struct IDDigestsTests {
    private static func all(_ bytes: ByteBuffer, of most: Int) throws -> [Int64] {
        var digests = try IDDigests(Self.padded(bytes), at: 0, of: most)
        var all: [Int64] = []
        try digests.append(below: .max, to: &all)
        #expect(digests.left == 0)
        return all
    }

    /// Leaves room behind the bytes, because a reader of packed bits may load a few more.
    private static func padded(_ bytes: ByteBuffer) -> ByteBuffer {
        bytes.reserve(8)
        return bytes
    }

    private static func encoded(_ numbers: [Int64]) -> ByteBuffer {
        let bytes = ByteBuffer(capacity: 64)
        numbers.withUnsafeBufferPointer { DeltaEncoder.append($0, to: bytes) }
        return bytes
    }

    @Test(arguments: [0, 1, 2, 300, 5000], [0, 1, 100])
    func `digests are the top bits of each id's fingerprint, rising, each once`(count: Int, repetitions: Int) throws {
        var random = SeededRandom(seed: UInt64(count))
        let ids = (0..<count).map { _ in Fingerprint(high: random.next(), low: random.next()) }
        var set = FingerprintSet()
        // After 64 ids that come again, a part of the set is a table. Others follow those, so that the table grows.
        for id in ids.prefix(count / 2) { for _ in 0...repetitions { _ = set.insert(id) } }
        for id in ids { _ = set.insert(id) }
        #expect(try Self.all(IDDigests.bytes(of: set), of: count) == Set(ids.map { Int64($0.high >> 16) }).sorted())
    }

    @Test func `ids of one part of the set that has become a table give all their digests`() throws {
        var set = FingerprintSet()
        let ids = (0..<3000).map { Fingerprint(high: 0x7F00_0000_0000_0000 | UInt64($0) << 20, low: UInt64($0) | 1 << 40) }
        for _ in 0..<70 { for id in ids.prefix(10) { _ = set.insert(id) } }
        for id in ids.reversed() { _ = set.insert(id) }
        #expect(try Self.all(IDDigests.bytes(of: set), of: 3000) == ids.map { IDDigests.digest(of: $0) })
    }

    @Test func `two ids with the same digest give it once`() throws {
        var set = FingerprintSet()
        for low in 1...3 { _ = set.insert(Fingerprint(high: 0xABCD_0000_0000_0000 | UInt64(low), low: UInt64(low))) }
        #expect(try Self.all(IDDigests.bytes(of: set), of: 3) == [0xABCD_0000_0000])
    }

    @Test func `digests are passed window by window`() throws {
        let numbers = (0..<1000).map { Int64($0 * $0) }
        var digests = try IDDigests(Self.padded(Self.encoded(numbers)), at: 0, of: 1000)
        var windows: [[Int64]] = []
        for end in [0, 1, 2, 500_000, 500_000, 1 << 48] as [Int64] {
            var window: [Int64] = []
            try digests.append(below: end, to: &window)
            windows.append(window)
        }
        #expect(windows == [[], [0], [1], numbers.filter { 1 < $0 && $0 < 500_000 }, [], numbers.filter { $0 >= 500_000 }])
    }

    @Test(
        arguments: [
            [5, 5], [6, 5], [-1], [0, 1 << 48], [Int64.max], [3, .min],
        ] as [[Int64]]) func `a list that does not rise or leaves the range is refused`(numbers: [Int64])
    {
        #expect(throws: ParquetError.self) { try Self.all(Self.encoded(numbers), of: numbers.count) }
    }

    @Test(arguments: [([1, 2, 3], 2), ([], 1), ([1], 0)] as [([Int64], Int)])
    func `a list of more digests than there are ids, or of none, is refused before it is read`(numbers: [Int64], ids: Int) {
        #expect(throws: ParquetError.self) { try IDDigests(Self.padded(Self.encoded(numbers)), at: 0, of: ids) }
    }

    @Test func `a list of more digests than its bytes can hold is refused before it is read`() throws {
        // The densest list that there is.
        let list = Self.encoded(Array(0..<1000))
        #expect(try Self.all(list, of: 1000) == Array(0..<1000))
        // 1,000, as its head has it, becomes 2,000.
        let whole = withExtendedLifetime(list) { Array(list.bytes) }
        #expect(whole.count == 46 && whole[3...4] == [0xE8, 0x07])
        let bytes = ByteBuffer(capacity: 64)
        bytes.append(Array(whole[..<3]) + [0xD0, 0x0F] + whole[5...])
        #expect(throws: ParquetError.self) { try IDDigests(Self.padded(bytes), at: 0, of: 2000) }
    }

    @Test func `a list that is cut anywhere is refused`() throws {
        let list = Self.encoded((0..<300).map { Int64($0) << 20 | 7 })
        let whole = withExtendedLifetime(list) { Array(list.bytes) }
        for count in 0..<whole.count {
            let cut = ByteBuffer(capacity: count + 8)
            cut.append(Array(whole[..<count]))
            #expect(throws: ParquetError.self, "cut to \(count)") { try Self.all(cut, of: 300) }
        }
    }
}
