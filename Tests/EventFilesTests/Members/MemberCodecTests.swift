import Basics
import CZlib
import Deflate
import Testing
import TrackingEvents

@testable import EventFiles

/// The contract of whole members, whichever library compresses them.
@Suite struct MemberCodecTests {
    /// Bytes that lead a compressor to all kinds of blocks and matches.
    private static let samples: [[UInt8]] = {
        var random = SeededRandom(seed: 11)
        var lines: [UInt8] = []
        for number in 0..<600 {
            lines += Array(
                #"{"v":1,"t_ms":\#(1_767_225_600_000 + number * 37),"name":"step_\#(number % 7)","user":"u\#(random.next() % 999)"}"#.utf8)
            lines.append(10)
        }
        let noise = (0..<BGZF.rawLimit).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let few = (0..<50_000).map { _ in UInt8(truncatingIfNeeded: random.next() % 3 + 65) }
        var skewed: [UInt8] = []
        // Frequencies like Fibonacci's numbers give codes of all lengths.
        for (value, count) in zip(0..., [1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1_597, 2_584, 4_181, 6_765]) {
            skewed += Array(repeating: UInt8(value * 11), count: count)
        }
        skewed.shuffle(using: &random)
        let far = Array(noise.prefix(32_768) + lines.prefix(100) + noise.prefix(32_000))
        return [
            [0], Array("a".utf8), Array(repeating: 65, count: BGZF.rawLimit), Array("ab".utf8) + Array(repeating: 66, count: 300), lines,
            noise, few, skewed, far, (0..<40_000).map { UInt8($0 % 251) },
        ]
    }()

    private func member(_ raw: [UInt8], _ deflater: BGZFDeflater) -> [UInt8] {
        let output = ByteBuffer(capacity: 64)
        raw.withUnsafeBufferPointer { deflater.appendMember(of: $0, to: output) }
        return Array(output.bytes)
    }

    private func contents(_ member: [UInt8], _ inflater: BGZFInflater) -> (outcome: BGZFInflater.Outcome, bytes: [UInt8])? {
        member.withUnsafeBytes { bytes in
            guard case .member(let header) = BGZF.head(of: bytes) else { return nil }
            let output = ByteBuffer(capacity: 16)
            let outcome = inflater.appendContents(of: bytes, header: header, to: output)
            return (outcome, Array(output.bytes))
        }
    }

    /// A member in blocked framing around any deflate stream, with any CRC and size.
    private func framed(_ body: [UInt8], checksum: UInt32, size: UInt32) -> [UInt8] {
        let bytes = BGZF.headerBytes + body.count + BGZF.trailerBytes
        var member: [UInt8] = [0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 0xFF, 6, 0, 0x42, 0x43, 2, 0]
        member += [UInt8(truncatingIfNeeded: bytes - 1), UInt8(truncatingIfNeeded: (bytes - 1) >> 8)] + body
        for value in [checksum, size] { for shift in [0, 8, 16, 24] { member.append(UInt8(truncatingIfNeeded: value >> UInt32(shift))) } }
        return member
    }

    private func checksum(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes { MemberCodec.checksum(of: $0) } }

    @Test("a member of any bytes comes back whole at every level", arguments: Int32(1)...9)
    func whole(level: Int32) {
        let (deflater, inflater) = (BGZFDeflater(level: level), BGZFInflater())
        for sample in Self.samples {
            let member = member(sample, deflater)
            #expect(member.count <= BGZF.memberLimit)
            let result = contents(member, inflater)
            #expect(result?.outcome == .whole && result?.bytes == sample, "\(sample.count) bytes")
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: BGZF.memberLimit, alignment: 1)
            defer { room.deallocate() }
            let step = member.withUnsafeBytes { ZlibInflater(.gzip).inflate($0, to: room) }
            #expect(step.status == .ended && step.consumed == member.count && room.prefix(step.produced).elementsEqual(sample))
        }
    }

    @Test("a checksum is zlib's for any length from any place", arguments: [0, 1, 15, 4_800, 16_385, 65_280, 100_003])
    func checksums(count: Int) {
        var random = SeededRandom(seed: 77)
        let bytes = (0..<(count + 16)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        for start in [0, 1, 3, 8, 15] {
            let part = Array(bytes[start..<(start + count)])
            let zlib = part.withUnsafeBufferPointer { UInt32(truncatingIfNeeded: crc32_z(0, $0.baseAddress, $0.count)) }
            #expect(checksum(part) == (count == 0 ? 0 : zlib))
        }
    }

    @Test("a member with flipped bits is damaged or its contents are right", arguments: 1...8)
    func flipped(seed: UInt64) {
        var random = SeededRandom(seed: seed &* 7919)
        let inflater = BGZFInflater()
        let members = Self.samples.map { member(Array($0.prefix(3_000)), BGZFDeflater(level: Int32(seed % 9 + 1))) }
        for round in 0..<600 {
            let sample = Array(Self.samples[round % members.count].prefix(3_000))
            var member = members[round % members.count]
            for _ in 0...(random.next() % 3) {
                // The flips are behind the header, most of them where the codes are described.
                let reach = member.count - BGZF.headerBytes
                let place = BGZF.headerBytes + Int(random.next() % UInt64(random.next() % 2 == 0 ? min(reach, 60) : reach))
                member[place] ^= 1 << UInt8(random.next() % 8)
            }
            guard let result = contents(member, inflater) else { continue }
            if result.outcome == .whole { #expect(result.bytes == sample, "round \(round)") }
            #expect(result.outcome != .cut)
        }
    }

    @Test func `bytes that were never compressed are damage`() {
        var random = SeededRandom(seed: 3)
        let inflater = BGZFInflater()
        for round in 0..<3_000 {
            var body = (0..<Int(random.next() % 200 + 1)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            // Mostly a dynamic block, the kind with the most to get wrong.
            if round % 4 != 0 { body[0] = body[0] & 0xF8 | 4 | UInt8(round % 2) }
            #expect(contents(framed(body, checksum: 0x1234_5678, size: 100), inflater)?.outcome == .damaged)
        }
    }

    @Test("a bomb, a false size or CRC and a stream that ends early are damage and cost 64 KiB at most", arguments: 0..<5)
    func lies(number: Int) throws {
        let zeros = [UInt8](repeating: 0, count: 10_000_000)
        let sound = Array(Self.samples[4].prefix(2_000))
        let body = Gzip.deflated(sound)
        let crc = checksum(sound)
        let member =
            switch number {
            case 0: framed(Gzip.deflated(zeros), checksum: checksum(zeros), size: UInt32(zeros.count))
            case 1: framed(body, checksum: crc, size: 1_999)
            case 2: framed(body, checksum: crc, size: .max)
            case 3: framed(body + [0], checksum: crc, size: 2_000)
            default: framed(body, checksum: crc ^ 1, size: 2_000)
            }
        #expect(contents(framed(body, checksum: crc, size: 2_000), BGZFInflater())?.outcome == .whole)
        let output = ByteBuffer(capacity: 16)
        let outcome = try member.withUnsafeBytes { bytes in
            guard case .member(let header) = BGZF.head(of: bytes) else { throw BadFrame() }
            return BGZFInflater().appendContents(of: bytes, header: header, to: output)
        }
        #expect(outcome == .damaged)
        #expect(output.capacity <= 2 * BGZF.memberLimit)
    }

    private struct BadFrame: Error {}

    #if Libdeflate
    /// libdeflate takes some streams that zlib refuses, such as those with codes that RFC 1951 §3.2.6 reserves: there the member's CRC
    /// decides.
    @Test("libdeflate and zlib read each other's streams, and they agree on changed ones that zlib accepts", arguments: 1...8)
    func agreement(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let (zlib, libdeflate) = (ZlibInflater(.raw), LibdeflateDecompressor())
        let (one, other) = (ZlibCompressor(level: Int32(seed)), LibdeflateCompressor(level: Int32(seed)))
        let rooms = (0..<2).map { _ in UnsafeMutableRawBufferPointer.allocate(byteCount: BGZF.memberLimit, alignment: 1) }
        defer { for room in rooms { room.deallocate() } }
        var verdicts: [Bool: Int] = [:]
        for round in 0..<2_000 {
            let sample = Array(Self.samples[round % Self.samples.count].prefix(round % 3 == 0 ? .max : 2_000))
            let written = sample.withUnsafeBytes { sample in
                round % 2 == 0 ? one.compress(sample, to: rooms[0]) : other.compress(sample, to: rooms[0])
            }
            guard let written else { continue }
            var stream = Array(rooms[0].prefix(written))
            if round >= 100 {
                for _ in 0...(random.next() % 3) {
                    let place = Int(random.next() % UInt64(random.next() % 2 == 0 ? min(stream.count, 60) : stream.count))
                    stream[place] ^= 1 << UInt8(random.next() % 8)
                }
            }
            let (first, second) = stream.withUnsafeBytes { (zlib.decompress($0, to: rooms[0]), libdeflate.decompress($0, to: rooms[1])) }
            if let first {
                #expect(first == second && rooms[0].prefix(first).elementsEqual(rooms[1].prefix(first)), "round \(round)")
            }
            verdicts[first != nil, default: 0] += 1
            if round < 100 { #expect(first == sample.count) }
        }
        #expect(verdicts.count == 2, "zlib accepts some and refuses others: \(verdicts)")
    }
    #endif
}
