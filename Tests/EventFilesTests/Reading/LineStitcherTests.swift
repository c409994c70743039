import Basics
import Testing
import TrackingEvents

@testable import EventFiles

/// Chunks made by hand, cut at every place.
@Suite struct LineStitcherTests {
    /// What a test makes a chunk of. Each piece says whether it follows damage inside the chunk.
    private struct Part {
        var pieces: [(bytes: [UInt8], followsDamage: Bool)]
        var followsDamage = false
        var endsInDamage = false

        init(_ bytes: [UInt8], followsDamage: Bool = false, endsInDamage: Bool = false) {
            pieces = bytes.isEmpty ? [] : [(bytes, false)]
            self.followsDamage = followsDamage
            self.endsInDamage = endsInDamage
        }

        init(_ text: String, followsDamage: Bool = false, endsInDamage: Bool = false) {
            self.init(Array(text.utf8), followsDamage: followsDamage, endsInDamage: endsInDamage)
        }
    }

    private struct Stitched: Equatable {
        var lines: [String] = []
        /// Where each line begins, in a file in which the parts lie side by side.
        var offsets: [Int64] = []
        var longLines: [Int64] = []
    }

    private func stitch(_ parts: [Part]) -> Stitched {
        let stitcher = LineStitcher()
        var result = Stitched()
        var offset: Int64 = 0
        for (index, part) in parts.enumerated() {
            let workspace = Workspace()
            workspace.marks.append(.init(rawStart: 0, fileOffset: offset))
            for piece in part.pieces {
                let start = workspace.raw.count
                piece.bytes.withUnsafeBytes { workspace.raw.append($0) }
                workspace.pieces.append(.init(range: start..<workspace.raw.count, followsDamage: piece.followsDamage))
            }
            var chunk = Chunk(index: index, isLast: index == parts.count - 1, isPlain: true)
            chunk.followsDamage = part.followsDamage
            chunk.endsInDamage = part.endsInDamage
            let stitched = stitcher.stitch(&chunk, in: workspace)
            #expect(stitched.firstLineNumber == result.lines.count + 1)
            stitched.withBatch(of: chunk, in: workspace, path: "x") { batch in
                batch.forEachLine { line in
                    result.lines.append(String(decoding: line, as: UTF8.self))
                    result.offsets.append(batch.byteOffset(of: line))
                }
            }
            #expect(result.lines.count == stitched.firstLineNumber - 1 + stitched.lines)
            result.longLines += chunk.damage.map(\.bytes)
            offset += Int64(workspace.raw.count)
        }
        return result
    }

    private static let texts = ["one\ntwo\n\nthree\r\nfour\n", "\n\n\n", "no feed", "a\nb", "ü\né\n", "x\n"]

    @Test(arguments: texts)
    func `a text cut into two or three chunks anywhere gives the same lines and offsets`(text: String) {
        let bytes = Array(text.utf8)
        let whole = stitch([Part(bytes)])
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
        if lines.last == "" { lines.removeLast() }
        #expect(whole.lines == lines)
        for first in 0...bytes.count {
            #expect(stitch([Part(Array(bytes[..<first])), Part(Array(bytes[first...]))]) == whole)
            for second in first...bytes.count {
                let parts = [bytes[..<first], bytes[first..<second], bytes[second...]].map { Part(Array($0)) }
                #expect(stitch(parts) == whole, "\(first), \(second)")
            }
        }
    }

    @Test(arguments: texts)
    func `in chunks of one byte the lines are the same`(text: String) {
        #expect(stitch(text.utf8.map { Part([$0]) } + [Part("")]) == stitch([Part(text)]))
    }

    @Test(arguments: texts + [""])
    func `a byte order mark is no part of the first line, wherever the chunks are cut`(text: String) {
        let bytes = [0xEF, 0xBB, 0xBF] + Array(text.utf8)
        let expected = stitch([Part(text)]).lines
        for cut in 0...bytes.count {
            #expect(stitch([Part(Array(bytes[..<cut])), Part(Array(bytes[cut...]))]).lines == expected, "cut at \(cut)")
        }
        #expect(stitch(bytes.map { Part([$0]) } + [Part("")]).lines == expected)
    }

    @Test(arguments: [[0xEF], [0xEF, 0xBB], [0xEF, 0xBB, 0x0A], [0xEF, 0x0A], [0x0A, 0xEF, 0xBB, 0xBF]] as [[UInt8]])
    func `what only begins like a byte order mark, or comes later, is a part of its line`(bytes: [UInt8]) {
        let expected = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
        let lines = bytes.last == 0x0A ? expected.dropLast() : expected
        #expect(stitch([Part(bytes)]).lines == lines)
        #expect(stitch(bytes.map { Part([$0]) } + [Part("")]).lines == lines)
    }

    @Test func `a line that damage cuts is dropped, its part behind the damage too`() {
        let parts = [Part("a\nhal"), Part("f\nb\n", followsDamage: true)]
        #expect(stitch(parts).lines == ["a", "b"])
        #expect(stitch([Part("a\nhal", endsInDamage: true), Part("f\nb\n")]).lines == ["a", "b"])
        // Nothing was cut off: lines end with their members here, so the next one is whole.
        #expect(stitch([Part("a\n"), Part("b\nc\n", followsDamage: true)]).lines == ["a", "b", "c"])
        #expect(stitch([Part("a\n"), Part("hal", endsInDamage: true)]).lines == ["a"])
    }

    @Test func `damage between two pieces of one chunk cuts a line as damage between two chunks does`() {
        var part = Part("a\nhal")
        part.pieces.append((Array("f\nb\n".utf8), true))
        #expect(stitch([part]).lines == ["a", "b"])
        #expect(stitch([part]).offsets == [0, 7])
    }

    @Test func `damage twice inside one line drops that line once`() {
        let parts = [Part("a\nx"), Part("y", followsDamage: true), Part("z", followsDamage: true), Part("\nb\n")]
        #expect(stitch(parts).lines == ["a", "b"])
    }

    @Test(arguments: [0, 1, 2])
    func `a line at the limit is given, and a longer one is reported`(over: Int) {
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: EventFileReader.lineLimit + over)
        let half = line.count / 2
        for tail in ["\nb\n", "\nb", "\n"] {
            let rest = Array(line[half...]) + Array(tail.utf8)
            let result = stitch([Part("a\n"), Part(Array(line[..<half])), Part(rest)])
            #expect(result.lines.count == (over == 0 ? 2 : 1) + (tail == "\n" ? 0 : 1))
            #expect(result.longLines == (over == 0 ? [] : [Int64(line.count)]))
            #expect(result.lines.last == (tail == "\n" ? (over == 0 ? String(decoding: line, as: UTF8.self) : "a") : "b"))
        }
        let atEnd = stitch([Part(Array(line[..<half])), Part(Array(line[half...]))])
        #expect(atEnd.lines.count == (over == 0 ? 1 : 0))
        #expect(atEnd.longLines == (over == 0 ? [] : [Int64(line.count)]))
    }

    @Test func `a long line over many chunks is reported once with all its bytes, and its neighbours are given`() {
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 400_000)
        let parts = [Part("a\n")] + (0..<7).map { _ in Part(piece) } + [Part("y\nb\n")]
        let result = stitch(parts)
        #expect(result.lines == ["a", "b"])
        #expect(result.longLines == [2_800_001])
        let damaged = stitch(parts.dropLast() + [Part("y\nb\n", followsDamage: true)])
        #expect(damaged.lines == ["a", "b"])
        #expect(damaged.longLines == [2_800_000])
    }
}
