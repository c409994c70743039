import Deflate
import Testing
import TrackingEvents

@testable import EventFiles

@Suite struct ZlibInflaterTests {
    /// Decompresses one member with at most `input` bytes in and `room` bytes out at a time.
    private func inflate(_ bytes: [UInt8], input: Int, room: Int) -> (text: [UInt8], used: Int, outcome: ZlibInflater.Status) {
        let inflater = ZlibInflater(.gzip)
        var output: [UInt8] = []
        var used = 0
        var space = [UInt8](repeating: 0, count: room)
        while true {
            let part = Array(bytes[used..<min(used + input, bytes.count)])
            let step = part.withUnsafeBytes { part in space.withUnsafeMutableBytes { inflater.inflate(part, to: $0) } }
            #expect(step.consumed <= part.count && step.produced <= room)
            output += space[..<step.produced]
            used += step.consumed
            if step.status != .more || step.consumed == 0 && step.produced == 0 { return (output, used, step.status) }
        }
    }

    private static let text = Array((0..<400).map { "line \($0 * $0)\n" }.joined().utf8)

    @Test(arguments: [1, 2, 7, 64, 100_000], [1, 3, 50, 100_000])
    func `a member is the same in pieces of any size, and no byte behind it is taken`(input: Int, room: Int) {
        let member = Gzip.ordinary(Self.text, name: "n", comment: "c", extra: [9], headerCRC: true)
        let result = inflate(member + [1, 2, 3], input: input, room: room)
        #expect(result.text == Self.text)
        #expect(result.used == member.count)
        #expect(result.outcome == .ended)
    }

    @Test func `a member that is cut never ends`() {
        let member = Gzip.ordinary(Array("some text\n".utf8), headerCRC: true)
        for end in 0..<member.count { #expect(inflate(Array(member[..<end]), input: 64, room: 64).outcome == .more) }
    }

    @Test func `a wrong CRC, a wrong size and a wrong header CRC are damage`() {
        let member = Gzip.ordinary(Self.text, headerCRC: true)
        for place in [10, 11] + Array(member.count - 8..<member.count) {
            var changed = member
            changed[place] ^= 1
            #expect(inflate(changed, input: 1000, room: 1000).outcome == .damaged, "\(place)")
        }
    }

    @Test func `proof takes whole members and long sound beginnings, and asks for more where it cannot know`() {
        func proof(_ bytes: [UInt8]) -> ZlibInflater.Proof { bytes.withUnsafeBytes { ZlibInflater(.gzip).proof(of: $0) } }
        let member = Gzip.ordinary(Self.text)
        #expect(proof(member) == .member)
        #expect(proof(member + [0, 0]) == .member)
        #expect(proof(Array(member.dropLast())) == .needsMore)
        #expect(proof([]) == .needsMore)
        #expect(proof(Array(member.prefix(5))) == .needsMore)
        #expect(proof(Array(member.dropFirst())) == .none)
        #expect(proof([UInt8](repeating: 0x1F, count: 50)) == .none)
        var wrong = member
        wrong[wrong.count - 5] ^= 1
        #expect(proof(wrong) == .none)
        let long = Gzip.ordinary([UInt8](repeating: 0x61, count: 1 << 20))
        #expect(proof(Array(long.dropLast(9))) == .member, "a bomb is accepted without unpacking all of it")
    }

    @Test func `after a reset the next member is read afresh`() {
        let inflater = ZlibInflater(.gzip)
        var space = [UInt8](repeating: 0, count: 100)
        for _ in 0..<3 {
            let damaged: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xFF, 0xFF]
            let bad = damaged.withUnsafeBytes { input in space.withUnsafeMutableBytes { inflater.inflate(input, to: $0) } }
            #expect(bad.status == .damaged)
            inflater.reset()
            let good = Gzip.ordinary("x\n").withUnsafeBytes { input in space.withUnsafeMutableBytes { inflater.inflate(input, to: $0) } }
            #expect(good.status == .ended && good.produced == 2)
            inflater.reset()
        }
    }
}
