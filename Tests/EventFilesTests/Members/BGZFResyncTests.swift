import Basics
import Testing
import TrackingEvents

@testable import EventFiles

@Suite struct BGZFResyncTests {
    private let inflater = BGZFInflater()
    private let scratch = ByteBuffer(capacity: 16)

    /// Members of a few lines each, and where each begins.
    private func members(_ texts: [String]) -> (bytes: [UInt8], starts: [Int]) {
        let deflater = BGZFDeflater(level: 1)
        let output = ByteBuffer(capacity: 1024)
        var starts: [Int] = []
        for text in texts {
            starts.append(output.count)
            Array(text.utf8).withUnsafeBufferPointer { deflater.appendMember(of: $0, to: output) }
        }
        starts.append(output.count)
        output.append(BGZF.endMember)
        return (Array(output.bytes), starts)
    }

    private func search(_ bytes: [UInt8], from start: Int) -> BGZF.Resync {
        bytes.withUnsafeBytes { BGZF.nextMember(in: $0, from: start, inflater: inflater, scratch: scratch) }
    }

    @Test func `from any byte the next member's beginning is found, the end member too`() {
        let (bytes, starts) = members(["one\n", "two\n", "three\n"])
        for place in 0...starts.last! {
            let expected = starts.first { $0 >= place }!
            guard case .member(let offset, _) = search(bytes, from: place) else {
                Issue.record("nothing found from \(place)")
                continue
            }
            #expect(offset == expected)
        }
    }

    @Test func `a member whose content was changed is passed over`() {
        var (bytes, starts) = members(["one\n", "two\n", "three\n"])
        bytes[starts[1] + BGZF.headerBytes + 1] ^= 0x10
        guard case .member(let offset, _) = search(bytes, from: 1) else {
            Issue.record("nothing found")
            return
        }
        #expect(offset == starts[2])
    }

    @Test func `a member that the window cuts asks for more bytes from its beginning`() {
        let (bytes, starts) = members(["one\n", "two\n"])
        for end in (starts[1] + 1)..<starts[2] {
            #expect(search(Array(bytes[..<end]), from: 1) == .none(searchedTo: starts[1]))
        }
    }

    @Test func `a header without a sound member does not count`() {
        let bytes = Array(BGZF.endMember[..<18]) + Array(repeating: UInt8(0x1F), count: 200) + Array(BGZF.endMember[..<16])
        guard case .none = search(bytes, from: 0) else {
            Issue.record("a false header was accepted")
            return
        }
    }

    @Test func `no member is found in empty input or zeros`() {
        #expect(search([], from: 0) == .none(searchedTo: 0))
        #expect(search(Array(repeating: 0, count: 100), from: 5) == .none(searchedTo: 100))
    }

    @Test func `the scratch buffer is left as it was`() {
        let (bytes, _) = members(["one\n"])
        scratch.append("kept")
        _ = search(bytes, from: 0)
        #expect(scratch.text == "kept")
    }
}
