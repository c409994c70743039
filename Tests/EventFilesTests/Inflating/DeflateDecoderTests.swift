import CZlib
import Testing
import TrackingEvents

@testable import EventFiles

/// Our inflater beside zlib's: the same bytes, the same end, the same verdict, in pieces of any size.
@Suite struct DeflateDecoderTests {
    /// Decodes in pieces: `inputs` and `rooms` give the size of the next piece and the next room.
    private func decoded(
        _ stream: [UInt8], with decoder: DeflateDecoder = DeflateDecoder(), limit: Int = 1 << 20, inputs: () -> Int = { .max },
        rooms: () -> Int = { .max }
    ) -> (bytes: [UInt8], status: DeflateDecoder.Status, consumed: Int) {
        decoder.reset()
        var bytes: [UInt8] = []
        var consumed = 0
        // Exactly as large as asked, so that a byte too many is caught by the tools that watch memory.
        while true {
            let piece = min(inputs(), stream.count - consumed)
            let size = min(rooms(), limit - bytes.count)
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
            defer { room.deallocate() }
            let step = stream[consumed..<(consumed + piece)].withUnsafeBytes { decoder.decode($0, to: room) }
            bytes += room.prefix(step.produced)
            consumed += step.consumed
            if step.status != .more { return (bytes, step.status, consumed) }
            if step.consumed == 0 && step.produced == 0 && (piece == stream.count - consumed || size == limit - bytes.count) {
                return (bytes, .more, consumed)
            }
        }
    }

    @Test(
        "every level and strategy comes back whole, and the end is found to the byte",
        arguments: [Z_DEFAULT_STRATEGY, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED, Z_FILTERED])
    func whole(strategy: Int32) {
        var random = SeededRandom(seed: 11)
        let decoder = DeflateDecoder()
        for sample in Deflated.samples(&random) {
            for level: Int32 in [0, 1, 4, 6, 9] {
                for memory: Int32 in [1, 8] {
                    let stream = Deflated.raw(sample, level: level, strategy: strategy, memory: memory)
                    let result = decoded(stream + [0xAA, 0xBB, 0xCC], with: decoder)
                    #expect(result.status == .ended && result.consumed == stream.count)
                    #expect(result.bytes == sample, "level \(level), \(sample.count) bytes")
                }
            }
        }
    }

    @Test("pieces and rooms of any size give the same", arguments: 1...6)
    func pieces(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let decoder = DeflateDecoder()
        for sample in Deflated.samples(&random) {
            let stream = Deflated.raw(sample, level: Int32(seed % 10), memory: 2)
            for (inputLimit, roomLimit) in [(1, 1_000_000), (1_000_000, 1), (7, 5), (100, 300), (40, 2_000), (5_000, 40_000)] {
                let result = decoded(
                    stream, with: decoder, inputs: { Int(random.next() % UInt64(inputLimit)) + 1 },
                    rooms: { Int(random.next() % UInt64(roomLimit)) + 1 })
                #expect(result.status == .ended && result.consumed + leftovers(of: decoder) == stream.count)
                #expect(result.bytes == sample, "pieces ≤ \(inputLimit), rooms ≤ \(roomLimit)")
            }
        }
    }

    /// Minus the bytes of earlier pieces that the decoder took and that are not the stream's.
    private func leftovers(of decoder: DeflateDecoder) -> Int {
        var count = 0
        while decoder.takeLeftover() != nil { count -= 1 }
        return count
    }

    @Test("cut anywhere, it wants more and has given only right bytes")
    func cut() {
        var random = SeededRandom(seed: 5)
        let decoder = DeflateDecoder()
        for sample in Deflated.samples(&random) {
            for level: Int32 in [0, 1, 9] {
                let stream = Deflated.raw(sample, level: level)
                for length in stride(from: 0, to: stream.count, by: max(1, stream.count / 97)) {
                    let result = decoded(Array(stream.prefix(length)), with: decoder)
                    #expect(result.status == .more && result.consumed == length)
                    #expect(result.bytes[...] == sample.prefix(result.bytes.count))
                }
            }
        }
    }

    @Test("changed streams get zlib's verdict and zlib's bytes", arguments: 1...8)
    func changed(seed: UInt64) {
        var random = SeededRandom(seed: seed &* 7919)
        let decoder = DeflateDecoder()
        let samples = Deflated.samples(&random).map { Array($0.prefix(3_000)) }
        var verdicts: [DeflateDecoder.Status: Int] = [:]
        for round in 0..<1_500 {
            var stream = Deflated.raw(
                samples[round % samples.count], level: Int32(random.next() % 10),
                strategy: random.next() % 4 == 0 ? Z_FIXED : Z_DEFAULT_STRATEGY)
            for _ in 0...(random.next() % 3) {
                // Most in the headers, where codes are described.
                let place = Int(random.next() % UInt64(random.next() % 2 == 0 ? min(stream.count, 60) : stream.count))
                stream[place] ^= 1 << UInt8(random.next() % 8)
            }
            let limit = 20_000
            let zlib = Deflated.inflatedByZlib(stream, limit: limit)
            let ours = decoded(stream, with: decoder, limit: limit, rooms: { random.next() % 2 == 0 ? .max : 700 })
            verdicts[ours.status, default: 0] += 1
            switch zlib.status {
            case Z_STREAM_END:
                #expect(ours.status == .ended && ours.bytes == zlib.bytes, "round \(round)")
                #expect(ours.consumed + leftovers(of: decoder) == zlib.consumed, "round \(round)")
            case Z_DATA_ERROR:
                // zlib reads on in a code that is none at all until the block's header ends.
                #expect(ours.status == .damaged, "round \(round)")
            default: #expect(ours.status != .ended && zlib.bytes.starts(with: ours.bytes), "round \(round)")
            }
        }
        #expect(verdicts.count == 3, "the changes are of all kinds: \(verdicts)")
    }

    @Test("bytes that were never a stream never crash it and get zlib's verdict", arguments: 1...4)
    func noise(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let decoder = DeflateDecoder()
        for round in 0..<3_000 {
            var stream = (0..<Int(random.next() % 200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            // Mostly a dynamic block, the kind with the most to get wrong.
            if let first = stream.first, round % 4 != 0 { stream[0] = first & 0xF8 | 4 | UInt8(round % 2) }
            let zlib = Deflated.inflatedByZlib(stream, limit: 10_000)
            let ours = decoded(stream, with: decoder, limit: 10_000)
            if zlib.status == Z_STREAM_END { #expect(ours.status == .ended && ours.bytes == zlib.bytes) }
            if ours.status == .ended { #expect(zlib.status == Z_STREAM_END) }
            if zlib.status == Z_DATA_ERROR { #expect(ours.status == .damaged) }
        }
    }

    @Test("a match that reaches before the beginning is damage, by however little")
    func tooFar() {
        // A fixed block: the literal "a", then a match of three bytes at the distance 1 or 2, then the end.
        for (distanceCode, status) in [(0, DeflateDecoder.Status.ended), (1, .damaged)] {
            var bits: [Int] = [1, 1, 0]
            func code(_ value: Int, _ length: Int) { for bit in (0..<length).reversed() { bits.append(value >> bit & 1) } }
            code(0x30 + 97, 8)
            code(1, 7)
            code(distanceCode, 5)
            code(0, 7)
            var stream = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
            for (place, bit) in bits.enumerated() { stream[place / 8] |= UInt8(bit << (place % 8)) }
            let result = decoded(stream)
            #expect(result.status == status)
            #expect(result.bytes == (status == .ended ? Array("aaaa".utf8) : Array("a".utf8)))
        }
    }

    @Test("matches reach back over any number of rooms")
    func window() {
        var random = SeededRandom(seed: 3)
        let head = (0..<32_500).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let sample = head + head.prefix(2_000)
        let stream = Deflated.raw(sample, level: 9)
        #expect(stream.count < 33_500, "the compressor used the whole window")
        for room in [1_000, 20_000, 32_500, 33_000] { #expect(decoded(stream, rooms: { room }).bytes == sample) }
    }

    @Test("the farthest match is 32,768 bytes back", arguments: [32_767, 32_768])
    func farthest(count: Int) {
        let head = (0..<count).map { UInt8($0 % 251) }
        // A block without compression, then a fixed one with a match of three bytes at the greatest distance.
        var stream: [UInt8] = [0, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8 & 255)] + head
        var bits: [Int] = [1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 1]
        bits += Array(repeating: 1, count: 13) + Array(repeating: 0, count: 7)
        var tail = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
        for (place, bit) in bits.enumerated() { tail[place / 8] |= UInt8(bit << (place % 8)) }
        stream += tail
        for room in [Int.max, 1_000] {
            let result = decoded(stream, rooms: { room })
            #expect(result.status == (count == 32_768 ? .ended : .damaged))
            #expect(result.bytes == (count == 32_768 ? head + head.prefix(3) : head))
        }
    }
}
