import Basics
import Testing
import TrackingEvents

@testable import EventFiles

/// The reader of ring files survives any bytes, and returns no line that was not stored.
@Suite struct RingContentsTests {
    /// A ring with frames that wrap around its end, a dropped frame, a member under way, and counted drops.
    private let trial: TrialRing
    private let lines: [String]

    init() throws {
        trial = TrialRing(areaBytes: 512)
        for number in 1...12 { trial.append("gone \(number) \(String(repeating: "g", count: number))\n") }
        trial.ring.release(upTo: trial.ring.end)
        for number in 1...10 { trial.append("line \(number) \(String(repeating: "x", count: number))\n") }
        let first = trial.ring.frame(at: trial.ring.start)
        trial.ring.drop(at: first.end)
        trial.ring.add(3, .overflow)
        trial.ring.note(end: first.end, in: TrialRing.segment(1, offset: 100))
        lines = [1, 3, 4, 5, 6, 7, 8, 9, 10].map { "line \($0) \(String(repeating: "x", count: $0))\n" }
    }

    @Test func `a sound ring is read`() throws {
        #expect(try trial.lines() == lines)
        #expect(try trial.contents().head.unreported == [3, 0, 0])
    }

    @Test func `a ring that is cut at any byte is no ring`() {
        let image = trial.image
        for length in 0..<image.count {
            #expect(throws: RingContents.Fault.self) { try TrialRing.contents(Array(image.prefix(length))) }
        }
    }

    @Test func `a ring with any bit flipped gives its own lines or none`() {
        let image = trial.image
        let all = Set(lines + ["line 2 xx\n"])
        for place in image.indices where place < 512 || place >= RingHead.bytes {
            for bit in 0..<8 {
                var spoiled = image
                spoiled[place] ^= 1 << bit
                guard let read = try? TrialRing.contents(spoiled) else { continue }
                #expect(read.texts.allSatisfy(all.contains), "byte \(place), bit \(bit): \(read.texts)")
                let isFrame = place >= RingHead.bytes
                // A flip in a frame's mark of being dropped shows or hides that line, and no other.
                if isFrame { #expect(read.texts == lines || abs(read.texts.count - lines.count) == 1, "byte \(place), bit \(bit)") }
            }
        }
    }

    @Test(arguments: 1...40)
    func `random changes of a ring do not crash its reader`(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        for _ in 0..<25 {
            var image = trial.image
            for _ in 0...Int.random(in: 0...20, using: &random) {
                let place = Int.random(in: 0..<image.count, using: &random) % (Bool.random(using: &random) ? 512 : image.count)
                image[place] = UInt8.random(in: 0...255, using: &random)
            }
            // Random positions in the head, with check values that fit.
            if seed % 2 == 0 {
                for offset in [RingHead.Offset.start, RingHead.Offset.end] where Bool.random(using: &random) {
                    let number = Int.random(in: 0..<1 << 47, using: &random) >> Int.random(in: 0...46, using: &random)
                    let word = RingHead.checked(number, key: 0xABCD).littleEndian
                    withUnsafeBytes(of: word) { image.replaceSubrange(offset..<offset + 8, with: $0) }
                }
            }
            // Released lines may be read again if the head says so.
            if let read = try? TrialRing.contents(image) { #expect(read.texts.count <= 22) }
        }
    }

    @Test func `zeros are a ring that was never used, other bytes are no ring, and a copied ring is refused`() {
        #expect(throws: RingContents.Fault.unused) { try TrialRing.contents([]) }
        #expect(throws: RingContents.Fault.unused) { try TrialRing.contents([UInt8](repeating: 0, count: 9_000)) }
        #expect(throws: RingContents.Fault.notARing) { try TrialRing.contents([UInt8](repeating: 0, count: 9_000) + [1]) }
        #expect(throws: RingContents.Fault.notARing) { try TrialRing.contents(Array("no ring".utf8)) }
        #expect(throws: RingContents.Fault.copied) { try trial.contents(inode: 8) }
    }

    /// Later versions read the rings of earlier ones, so these values must never change. They are from a separate script.
    @Test(arguments: [(1, 0x4859ffb4), (31, 0x0b1073af), (32, 0x0775f965), (41, 0xf3434224)] as [(Int, UInt32)])
    func `a line has the check value that rings store for it`(length: Int, wanted: UInt32) {
        let line = Array("0193d5a0-7c11-7abc-8def-0123456789abcdefg".utf8.prefix(length))
        #expect(line.withUnsafeBytes { RingFrame.check(of: $0, at: 4096, key: 7) } == wanted)
    }

    @Test func `a check value covers the place, the key and every byte`() {
        let line = Array((0..<100).map { UInt8($0) })
        func check(_ line: [UInt8], at position: Int = 64, key: UInt64 = 1) -> UInt32 {
            line.withUnsafeBytes { RingFrame.check(of: $0, at: position, key: key) }
        }
        for length in [1, 7, 8, 31, 32, 33, 63, 64, 100] {
            let line = Array(line.prefix(length))
            let sound = check(line)
            #expect(check(line, at: 72) != sound && check(line, key: 2) != sound && check(line + [0]) != sound)
            for place in line.indices {
                var other = line
                other[place] ^= 0x10
                #expect(check(other) != sound, "\(length) bytes, byte \(place)")
            }
        }
    }
}
