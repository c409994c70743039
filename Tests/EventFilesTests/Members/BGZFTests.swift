import Basics
import Foundation
import Testing
import TrackingEvents

@testable import EventFiles

@Suite struct BGZFTests {
    private func member(_ raw: [UInt8], level: Int32 = 1) -> [UInt8] {
        let output = ByteBuffer(capacity: 64)
        raw.withUnsafeBufferPointer { BGZFDeflater(level: level).appendMember(of: $0, to: output) }
        return Array(output.bytes)
    }

    private func head(_ bytes: [UInt8]) -> BGZF.Head { bytes.withUnsafeBytes { BGZF.head(of: $0) } }

    private func inflate(_ bytes: [UInt8]) -> (BGZFInflater.Outcome, [UInt8])? {
        guard case .member(let header) = head(bytes) else { return nil }
        let output = ByteBuffer(capacity: 16)
        let outcome = bytes.withUnsafeBytes { BGZFInflater().appendContents(of: $0, header: header, to: output) }
        return (outcome, Array(output.bytes))
    }

    private let lines = Array(String(repeating: #"{"v":1,"t_ms":1767225600006,"name":"cart_added"}"# + "\n", count: 200).utf8)

    @Test func `the empty member is the one that the specification names`() {
        let expected: [UInt8] = [
            0x1f, 0x8b, 0x08, 0x04, 0x00, 0x00, 0x00, 0x00, 0x00, 0xff, 0x06, 0x00, 0x42, 0x43, 0x02, 0x00, 0x1b, 0x00, 0x03, 0x00, 0x00,
            0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        ]
        #expect(BGZF.endMember == expected)
        #expect(inflate(BGZF.endMember)?.0 == .whole)
        #expect(inflate(BGZF.endMember)?.1 == [])
    }

    @Test(arguments: [Int32(1), 6, 9])
    func `a member states its own size and gives its bytes back`(level: Int32) {
        let bytes = member(lines, level: level)
        #expect(head(bytes) == .member(.init(memberBytes: bytes.count, bodyOffset: 18)))
        #expect(inflate(bytes)?.0 == .whole)
        #expect(inflate(bytes)?.1 == lines)
        #expect(bytes.count < lines.count / 10)
    }

    @Test func `the largest member fits its size field, even if its bytes cannot be compressed`() {
        var random = SeededRandom(seed: 5)
        let noise = (0..<BGZF.rawLimit).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let bytes = member(noise)
        #expect(bytes.count <= BGZF.memberLimit)
        #expect(inflate(bytes)?.0 == .whole)
        #expect(inflate(bytes)?.1 == noise)
    }

    @Test func `members that one deflater makes do not depend on each other`() {
        let deflater = BGZFDeflater(level: 1)
        let output = ByteBuffer(capacity: 16)
        lines.withUnsafeBufferPointer { deflater.appendMember(of: $0, to: output) }
        let first = output.count
        lines.withUnsafeBufferPointer { deflater.appendMember(of: $0, to: output) }
        let all = Array(output.bytes)
        #expect(Array(all[..<first]) == Array(all[first...]))
    }

    @Test func `a member cut anywhere is cut, never damaged and never whole, and gives a prefix`() {
        let bytes = member(lines)
        for length in 0..<bytes.count {
            let cut = Array(bytes[..<length])
            switch head(cut) {
            case .cut: #expect(length < 18)
            case .member:
                let result = inflate(cut)
                #expect(result?.0 == .cut)
                #expect(lines.starts(with: result?.1 ?? [0]))
            default: Issue.record("cut at \(length) was taken for something else")
            }
        }
    }

    @Test func `one flipped bit anywhere never gives wrong contents`() {
        let bytes = member(lines)
        for place in bytes.indices {
            for bit in 0..<8 {
                var broken = bytes
                broken[place] ^= 1 << bit
                // The header's time, extra flags and system say nothing of the contents.
                if (4..<10).contains(place) { continue }
                guard let (outcome, contents) = inflate(broken) else { continue }
                // A larger size makes the member end after the file.
                if outcome == .whole { #expect(contents == lines, "byte \(place), bit \(bit)") }
            }
        }
    }

    @Test func `a member that claims more than it holds is damaged and costs no more than 64 KiB`() throws {
        // 60,000 zeros in a few bytes.
        let zeros = Array(repeating: UInt8(0), count: 60_000)
        var bytes = member(zeros)
        // The trailer now claims 63 bytes more than there are.
        bytes[bytes.count - 4] ^= 0xFF
        let result = try #require(inflate(bytes))
        #expect(result.0 == .damaged)
        #expect(result.1.count <= BGZF.memberLimit)
    }

    @Test func `other headers are told apart`() {
        #expect(head([]) == .cut)
        #expect(head([0x1F]) == .cut)
        #expect(head([0x1F, 0x8B]) == .cut)
        #expect(head([0x1F, 0x8C, 0x08]) == .none)
        #expect(head(Array("{\"v\":1}".utf8)) == .none)
        #expect(head([0, 0, 0, 0]) == .none)
        // Plain gzip, and gzip with a name.
        #expect(head([0x1F, 0x8B, 0x08, 0x00, 0, 0, 0, 0, 0, 3]) == .otherGzip)
        #expect(head([0x1F, 0x8B, 0x08, 0x08, 0, 0, 0, 0, 0, 3, 0x61, 0]) == .otherGzip)
        // Reserved flags.
        #expect(head([0x1F, 0x8B, 0x08, 0xE4, 0, 0, 0, 0, 0, 3]) == .none)
        // An extra field without the blocked one.
        #expect(head([0x1F, 0x8B, 0x08, 0x04, 0, 0, 0, 0, 0, 3, 4, 0, 0x41, 0x41, 0, 0]) == .otherGzip)
        // A size smaller than the header itself.
        #expect(head([0x1F, 0x8B, 0x08, 0x04, 0, 0, 0, 0, 0, 3, 6, 0, 0x42, 0x43, 2, 0, 5, 0]) == .none)
    }

    @Test func `a blocked field behind another extra field is found`() {
        let plain = member(lines)
        var bytes = Array(plain[..<10])
        let other: [UInt8] = [0x58, 0x59, 3, 0, 1, 2, 3]
        let size = UInt16(plain.count + other.count - 1)
        bytes += [UInt8(6 + other.count), 0] + other + [0x42, 0x43, 2, 0, UInt8(truncatingIfNeeded: size), UInt8(size >> 8)]
        bytes += plain[18...]
        #expect(head(bytes) == .member(.init(memberBytes: bytes.count, bodyOffset: 18 + other.count)))
        #expect(inflate(bytes)?.1 == lines)
    }

    @Test func `a member that the file's end cuts is cut, and one that zeros fill up is not`() {
        let bytes = member(lines)
        func isCut(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { BGZF.isCut($0) } }
        #expect(isCut(Array(bytes.prefix(3))))
        #expect(isCut(Array(bytes.dropLast())))
        #expect(!isCut(bytes))
        #expect(!isCut(Array(bytes.prefix(60)) + [UInt8](repeating: 0, count: 16)))
        #expect(!isCut(Array("{}".utf8)))
    }
}
