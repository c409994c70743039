import CZlib

/// zlib beside our decoder, and samples for both.
enum Deflated {
    /// A raw deflate stream.
    static func raw(_ bytes: [UInt8], level: Int32 = 6, strategy: Int32 = Z_DEFAULT_STRATEGY, memory: Int32 = 8) -> [UInt8] {
        deflated(bytes, windowBits: -15, level: level, strategy: strategy, memory: memory)
    }

    static func gzip(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8] {
        deflated(bytes, windowBits: 31, level: level, strategy: Z_DEFAULT_STRATEGY, memory: 8)
    }

    private static func deflated(_ bytes: [UInt8], windowBits: Int32, level: Int32, strategy: Int32, memory: Int32) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(
            &stream, level, Z_DEFLATED, windowBits, memory, strategy, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))) + 64)
        let written = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                _ = deflate(&stream, Z_FINISH)
                return Int(stream.total_out)
            }
        }
        return Array(output.prefix(written))
    }

    /// What zlib makes of a raw stream: its bytes, whether it ended soundly, and what it took of the input.
    static func inflatedByZlib(_ bytes: [UInt8], limit: Int) -> (bytes: [UInt8], status: Int32, consumed: Int) {
        var stream = z_stream()
        inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        defer { inflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: limit)
        return input.withUnsafeMutableBufferPointer { input in
            let (status, count) = output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return (inflate(&stream, Z_NO_FLUSH), Int(stream.total_out))
            }
            return (Array(output.prefix(count)), status, Int(stream.total_in))
        }
    }

    /// Samples that lead a compressor to all kinds of blocks and matches.
    static func samples(_ random: inout some RandomNumberGenerator) -> [[UInt8]] {
        var lines: [UInt8] = []
        for number in 0..<1_500 {
            lines += Array(
                #"{"v":1,"t_ms":\#(1_767_225_600_000 + number * 37),"name":"step_\#(number % 7)","user":"u\#(random.next() % 999)","seq":\#(number)}"#
                    .utf8)
            lines.append(10)
        }
        let noise = (0..<70_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let few = (0..<50_000).map { _ in UInt8(truncatingIfNeeded: random.next() % 3 + 65) }
        var skewed: [UInt8] = []
        // Frequencies like Fibonacci's numbers give codes of all lengths.
        for (value, count) in zip(0..., [1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1_597, 2_584, 4_181, 6_765]) {
            skewed += Array(repeating: UInt8(value * 11), count: count)
        }
        skewed.shuffle(using: &random)
        let far = noise.prefix(32_768) + lines.prefix(100) + noise.prefix(32_668) + noise.prefix(40)
        return [
            [], [0], Array("a".utf8), Array(repeating: 65, count: 100_000), Array("ab".utf8) + Array(repeating: 66, count: 300), lines,
            noise,
            few, skewed, Array(far), Array((0..<40_000).map { UInt8($0 % 251) }), Array((0..<3_000).flatMap { [1, 2, 3, UInt8($0 % 5)] }),
        ]
    }
}
