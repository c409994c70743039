import Basics
import Foundation
import Testing
import TrackingEvents

@testable import ParquetFiles

@Suite struct DamagedParquetTests {
    private static func small(_ seed: UInt64 = 5) -> [UInt8] {
        var sample = SampleTable(random: SeededRandom(seed: seed))
        let columns = (0..<6).map { sample.column($0, rows: 40) }
        let text = SampleColumn(
            column: ParquetColumn("same", .text), texts: .each, values: (0..<40).map { _ in .text("aaaaaaaaaaaaaaaaaaaaaaaa") })
        let ids = SampleColumn(
            column: ParquetColumn("id", .text), texts: .prefixed,
            values: (0..<40).map { $0 == 7 ? nil : .text("019b77ba-\($0 * 7919)") })
        return ParquetBytes.file(
            [columns + [text, ids]], regions: [Array("any bytes".utf8), []], metadata: [("note", "of the user's own")])
    }

    /// Everything that a file holds.
    private static func readAll(_ bytes: [UInt8]) throws(ParquetError) {
        _ = try ParquetBytes.contents(bytes)
        _ = try ParquetBytes.regions(bytes)
    }

    /// The byte offset that a thrown ``ParquetError`` names; `nil` if none is thrown.
    private static func offset(_ reading: () throws -> Void) -> Int64? {
        do {
            try reading()
            return nil
        } catch {
            return (error as? ParquetError)?.byteOffset
        }
    }

    @Test func `a file that is cut anywhere is refused`() {
        let whole = Self.small()
        var missed: [Int] = []
        for count in 0..<whole.count {
            let offset = Self.offset { _ = try ParquetBytes.contents(Array(whole[..<count])) }
            if offset.map({ $0 > Int64(whole.count) }) ?? true { missed.append(count) }
        }
        #expect(missed == [])
    }

    @Test func `any flipped bit is noticed`() {
        let whole = Self.small()
        // With `LOOPTRAIL_FUZZ_INPUTS` every bit is flipped, otherwise one bit of every byte.
        let isWhole = ProcessInfo.processInfo.environment["LOOPTRAIL_FUZZ_INPUTS"] != nil
        var missed: [String] = []
        for place in whole.indices {
            for bit in 0..<8 where isWhole || place % 8 == bit {
                var bytes = whole
                bytes[place] ^= 1 << UInt8(bit)
                let offset = Self.offset { try Self.readAll(bytes) }
                let isNoticed = offset.map { (0...Int64(whole.count)).contains($0) } ?? false
                let isDisproved = Self.offset { try ParquetBytes.reader(bytes).proveAll() } != nil
                if !isNoticed || !isDisproved { missed.append("byte \(place), bit \(bit)") }
            }
        }
        #expect(missed == [])
    }

    @Test func `damage to one column leaves the others readable`() throws {
        var bytes = Self.small()
        let wanted = try ParquetBytes.contents(bytes)
        // The first column begins behind the magic, at byte 4.
        bytes[6] ^= 1
        let reader = try ParquetBytes.reader(bytes)
        let error = #expect(throws: ParquetError.self) { try reader.values(ofColumn: 0, inGroup: 0) }
        #expect(error?.kind == .damaged && error?.byteOffset == 4)
        #expect(ParquetBytes.rows(of: try reader.values(ofColumn: 1, inGroup: 0)) == wanted[0][1])
        #expect(throws: ParquetError.self) { try reader.proveAll() }
    }

    /// An attacker gives a forged file right checksums.
    @Test func `a forged file with right checksums does not crash the reader`() {
        var random = SeededRandom(seed: 21)
        let rounds = ProcessInfo.processInfo.environment["LOOPTRAIL_FUZZ_INPUTS"].flatMap(Int.init) ?? 1000
        let originals = (0..<8).map { Self.small(UInt64($0)) }
        var accepted = 0
        for _ in 0..<rounds {
            var bytes = originals[Int(random.next() % 8)]
            let footer = Self.footerStart(bytes)
            let isInFooter = random.next() % 2 == 0
            for _ in 0...Int(random.next() % 3) {
                let range = isInFooter ? footer..<bytes.count - 8 : 4..<footer
                let place = range.lowerBound + Int(random.next() % UInt64(range.count))
                bytes[place] =
                    random.next() % 3 == 0 ? [0, 0xFF, 0x7F, 0x80][Int(random.next() % 4)] : UInt8(truncatingIfNeeded: random.next())
            }
            Self.sign(&bytes, chunks: !isInFooter)
            do throws(ParquetError) {
                try Self.readAll(bytes)
                accepted += 1
            } catch {
                #expect((0...Int64(bytes.count)).contains(error.byteOffset))
            }
        }
        // Changes that touch only values are accepted. That some are shows that the checksums fit, and that the changed bytes were decoded.
        #expect(accepted > rounds / 50)
    }

    @Test func `a page that claims too many bytes is refused`() throws {
        var header = ByteBuffer(capacity: 64)
        var writer = ThriftWriter(to: header)
        writer.fields { page in
            page.int32(1, 0)
            page.int32(2, Int64(ParquetFormat.maxPageBytes))
            page.int32(3, 20)
            page.structure(5) { page in
                page.int32(1, 1)
                page.int32(2, 0)
                page.int32(3, 3)
                page.int32(4, 3)
            }
        }
        header.append(Array(repeating: 0, count: 28))
        let chunk = FileFooter.Chunk(
            codec: .gzip, offset: 4, dataOffset: 4, hasDictionary: false, bytes: Int64(header.count), rawBytes: 1 << 28, values: 1)
        var decoder = ChunkDecoder(
            chunk, UnsafeRawBufferPointer(rebasing: header.raw.dropLast(8)), ParquetColumn("t", .text), rows: 1)
        let error = #expect(throws: ParquetError.self) { try decoder.values() }
        #expect(error?.message.contains("claims") == true)
        header = ByteBuffer(capacity: 0)
    }

    private static func footerStart(_ bytes: [UInt8]) -> Int {
        bytes.count - 8 - Int(bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt32.self).littleEndian })
    }

    /// Writes checksums that fit the changed bytes.
    private static func sign(_ bytes: inout [UInt8], chunks: Bool) {
        let start = footerStart(bytes)
        if chunks, let place = valuePlace(of: ParquetFormat.chunkChecksums, in: bytes, from: start), let ends = chunkRanges(of: bytes) {
            for (number, range) in ends.enumerated() {
                let checksum = bytes[range].withUnsafeBytes { GzipPage.checksum(of: $0) }
                put(checksum, at: place + number * 8, into: &bytes)
            }
        }
        guard let place = valuePlace(of: ParquetFormat.footerChecksum, in: bytes, from: start), place + 8 <= bytes.count - 8 else { return }
        bytes.replaceSubrange(place..<place + 8, with: ParquetFormat.emptyChecksum.utf8)
        put(bytes[start..<bytes.count - 8].withUnsafeBytes { GzipPage.checksum(of: $0) }, at: place, into: &bytes)
    }

    private static func put(_ checksum: UInt32, at place: Int, into bytes: inout [UInt8]) {
        bytes.replaceSubrange(place..<place + 8, with: Hexadecimal.text(UInt64(checksum), digits: 8).utf8)
    }

    /// The byte at which the value of a metadata entry begins.
    private static func valuePlace(of key: String, in bytes: [UInt8], from start: Int) -> Int? {
        let wanted = Array(key.utf8)
        guard let place = (start..<bytes.count - wanted.count).first(where: { Array(bytes[$0..<$0 + wanted.count]) == wanted }) else {
            return nil
        }
        // Between the key and its value stand the field's header byte and a length of one or two bytes.
        let length = place + wanted.count + 1
        return bytes[length] < 0x80 ? length + 1 : length + 2
    }

    private static func chunkRanges(of bytes: [UInt8]) -> [Range<Int>]? {
        let start = footerStart(bytes)
        return bytes[start..<bytes.count - 8].withUnsafeBytes { footer in
            try? FileFooter(footer, at: Int64(start)).groups.flatMap(\.chunks).map { Int($0.offset)..<Int($0.offset + $0.bytes) }
        }
    }
}
