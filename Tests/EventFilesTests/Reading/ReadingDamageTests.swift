import Foundation
import Testing
import TrackingEvents

@testable import EventFiles

@Suite struct ReadingDamageTests {
    private let folder: ReadingFolder
    init() throws { folder = try ReadingFolder() }

    /// Lines that compress to members of some length, so that flips hit every part of a member.
    private static let texts = (0..<3).map { member in
        (0..<4).map { "{\"v\":1,\"t_ms\":\(member * 10 + $0),\"name\":\"event_\(member * 7 + $0)\",\"props\":{\"x\":\"\($0 * 37)\"}}\n" }
            .joined()
    }
    private static let linesOfMember = texts.map { $0.split(separator: "\n").map(String.init) }
    private static let allLines = linesOfMember.flatMap { $0 }

    /// Where each member of ``texts`` ends.
    private static let ends: [Int] = {
        var end = 0
        return texts.map { text in
            end += Gzip.blocked([text], end: false).count
            return end
        }
    }()

    @Test(arguments: ["events.ndjson.gz", "events.ndjson.gz.open"])
    func `a file cut at any byte gives every whole member's lines and reports the cut`(name: String) throws {
        let bytes = Gzip.blocked(Self.texts)
        for length in 0..<bytes.count {
            let path = try folder.write(Array(bytes[..<length]), name)
            let read = try ReadLines.of(path)
            let whole = Self.ends.filter { $0 <= length }.count
            #expect(read.lines == Self.linesOfMember[..<whole].flatMap { $0 })
            let isBetween = length == 0 || Self.ends.contains(length)
            let expected: [Damage.Kind] = isBetween ? (name.hasSuffix(".open") ? [] : [.missingEnd]) : [.cut]
            #expect(read.damage.map(\.kind) == expected, "cut at \(length)")
            let start = Self.ends.last { $0 <= length } ?? 0
            if let damage = read.damage.first { #expect(damage.byteOffset == Int64(start) && damage.bytes == Int64(length - start)) }
            #expect(read.report.files[0].bytes == Int64(length))
            #expect(!read.report.files[0].hasEndMember)
        }
    }

    @Test func `one bit flipped anywhere never gives wrong lines and loses no other member`() throws {
        let bytes = Gzip.blocked(Self.texts)
        for place in bytes.indices {
            for bit in 0..<8 {
                var flipped = bytes
                flipped[place] ^= 1 << bit
                let read = try ReadLines.of(try folder.write(flipped))
                let hit = Self.ends.firstIndex { place < $0 }
                let others = Self.linesOfMember.indices.filter { $0 != hit }.flatMap { Self.linesOfMember[$0] }
                if read.damage.isEmpty {
                    // The bit is in a header field of no consequence, such as the time stamp or the operating system.
                    #expect(read.lines == Self.allLines, "byte \(place) bit \(bit)")
                } else {
                    #expect(read.lines == others, "byte \(place) bit \(bit)")
                }
            }
        }
    }

    @Test func `one bit flipped anywhere in an ordinary gzip file is reported if it changes anything`() throws {
        let bytes = Gzip.ordinary(Self.texts.joined())
        for place in bytes.indices {
            for bit in 0..<8 {
                var flipped = bytes
                flipped[place] ^= 1 << bit
                let read = try ReadLines.of(try folder.write(flipped))
                if read.lines != Self.allLines { #expect(!read.damage.isEmpty, "byte \(place) bit \(bit)") }
            }
        }
    }

    @Test func `one bit flipped in ordinary gzip of many members spares the other members`() throws {
        let members = Self.texts.map { Gzip.ordinary($0) }
        let bytes = members.flatMap { $0 }
        let ends = [members[0].count, members[0].count + members[1].count, bytes.count]
        for place in bytes.indices {
            for bit in 0..<8 {
                var flipped = bytes
                flipped[place] ^= 1 << bit
                let read = try ReadLines.of(try folder.write(flipped))
                let hit = ends.firstIndex { place < $0 }
                let others = Self.linesOfMember.indices.filter { $0 != hit }.flatMap { Self.linesOfMember[$0] }
                #expect(read.lines == (read.damage.isEmpty ? Self.allLines : others), "byte \(place) bit \(bit)")
            }
        }
    }

    @Test func `an ordinary gzip stream cut at any byte gives its whole lines and reports the cut`() throws {
        let bytes = Gzip.ordinary(Self.texts.joined())
        var most = 0
        for length in 1..<bytes.count {
            let read = try ReadLines.of(try folder.write(Array(bytes[..<length])))
            #expect(read.lines == Array(Self.allLines[..<read.lines.count]))
            #expect(read.damage.map(\.kind) == [.cut])
            #expect(read.damage[0].bytes == Int64(length))
            most = max(most, read.lines.count)
        }
        #expect(most == Self.allLines.count)
    }

    @Test(arguments: [
        ("zeros behind", [UInt8](repeating: 0, count: 5000)),
        ("garbage behind", (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 167 >> 3) }),
        ("one zero behind", [0]), ("a line of text behind", Array("{\"a\":1}\n".utf8)), ("the magic behind", [0x1F, 0x8B]),
    ])
    func `bytes outside members are passed over and reported`(what: String, tail: [UInt8]) throws {
        for (kind, bytes) in [(FileFraming.blocked, Gzip.blocked(Self.texts)), (.gzip, Gzip.ordinary(Self.texts.joined()))] {
            let read = try ReadLines.of(try folder.write(bytes + tail))
            #expect(read.lines == Self.allLines)
            #expect(read.report.files[0].framing == kind)
            #expect(read.report.files[0].bytes == Int64(bytes.count + tail.count))
            #expect(read.damage.count == 1)
            #expect(read.damage.first?.byteOffset == Int64(bytes.count))
            #expect(read.damage.first?.bytes == Int64(tail.count))
            #expect(read.damage.first?.kind == (tail == [0x1F, 0x8B] ? .cut : .foreignBytes))
        }
    }

    @Test func `garbage before, between and behind members costs no member`() throws {
        let garbage = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 4) }
        let members = Self.texts.map { Gzip.blocked([$0], end: false) }
        let bytes =
            [0, 1, 2] + members[0] + garbage + members[1] + [UInt8](repeating: 0, count: 70_000) + members[2] + BGZF.endMember + [7]
        let read = try ReadLines.of(try folder.write(bytes))
        #expect(read.lines == Self.allLines)
        #expect(read.damage.map(\.bytes) == [3, 200_000, 70_000, 1])
        #expect(read.damage.allSatisfy { $0.kind == .foreignBytes })
        #expect(read.report.damagedMembers == 4)
    }

    @Test(
        arguments: [
            ("nothing", [], FileFraming.empty, [Damage.Kind.missingEnd]), ("half a header", Array(BGZF.endMember[..<9]), .gzip, [.cut]),
            ("ten bytes of gzip", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3], .gzip, [.cut]), ("one byte", [0x1F], .gzip, [.cut]),
            ("the end member alone", BGZF.endMember, .blocked, []), ("an empty gzip", Gzip.ordinary(""), .gzip, []),
            ("zeros", [UInt8](repeating: 0, count: 3000), .unknown, [.foreignBytes]),
            ("a wrong method", [0x1F, 0x8B, 7, 0] + [UInt8](repeating: 1, count: 99), .unknown, [.foreignBytes]),
        ] as [(String, [UInt8], FileFraming, [Damage.Kind])])
    func `files without lines are told apart`(what: String, bytes: [UInt8], framing: FileFraming, damage: [Damage.Kind]) throws {
        let read = try ReadLines.of(try folder.write(bytes))
        #expect(read.lines == [])
        #expect(read.report.files.map(\.framing) == [framing])
        #expect(read.damage.map(\.kind) == damage)
        #expect(read.report.bytes == Int64(bytes.count))
    }

    @Test func `a size field that is too small or too large costs only its member`() throws {
        let bytes = Gzip.blocked(Self.texts)
        for size in [0, 1, 25, 26, 40, Self.ends[1] - Self.ends[0] - 1, Self.ends[2] - 1, Self.ends[2], 4000, 65_535] {
            var lying = bytes
            lying[16] = UInt8(truncatingIfNeeded: size)
            lying[17] = UInt8(truncatingIfNeeded: size >> 8)
            let read = try ReadLines.of(try folder.write(lying))
            let isTrue = size == Self.ends[0] - 1
            #expect(read.lines == (isTrue ? Self.allLines : Self.linesOfMember[1...].flatMap { $0 }), "size \(size)")
            #expect(read.damage.count == (isTrue ? 0 : 1))
            #expect(isTrue || read.damage.first?.bytes == Int64(Self.ends[0]))
        }
    }

    @Test func `a wrong CRC in one of many members costs that member`() throws {
        var texts: [String] = []
        for member in 0..<60 { texts.append((0..<50).map { "{\"m\":\(member),\"n\":\($0)}\n" }.joined()) }
        var bytes = Gzip.blocked(texts)
        var starts: [Int] = []
        bytes.withUnsafeBytes { raw in
            var place = 0
            while case .member(let header) = BGZF.head(of: UnsafeRawBufferPointer(rebasing: raw[place...])), place < raw.count {
                starts.append(place)
                place += header.memberBytes
            }
        }
        let broken = [0, 15, 16, 17, 31, 32, 58, 59]
        for member in broken { bytes[starts[member + 1] - 5] ^= 1 }
        let whole = texts.indices.filter { !broken.contains($0) }.map { texts[$0] }
        for threads in [1, 4] {
            let read = try ReadLines.of(try folder.write(bytes), threads: threads)
            #expect(read.lines == whole.joined().split(separator: "\n").map(String.init))
            #expect(read.damage.map(\.byteOffset) == broken.map { Int64(starts[$0]) })
            #expect(read.report.members == 60 - broken.count)
            #expect(read.report.files[0].hasEndMember)
        }
    }

    @Test func `an ordinary member after damage is found wherever it begins, large or small`() throws {
        var random = SeededRandom(seed: 8)
        func incompressible(_ count: Int) -> String { (0..<count).map { _ in "{\"x\":\(random.next())}\n" }.joined() }
        let large = incompressible(20_000)
        let small = incompressible(10)
        for gap in [1, 1000, 255_000, 262_100, 262_140, 262_150, 300_000, 700_001] {
            let garbage = (0..<gap).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 4) }
            for next in [large, small] {
                let bytes = Gzip.ordinary("{}\n") + garbage + Gzip.ordinary(next) + Gzip.blocked([small])
                let read = try ReadLines.of(try folder.write(bytes))
                #expect(read.lines == ["{}"] + (next + small).split(separator: "\n").map(String.init), "gap \(gap)")
                #expect(read.damage.map(\.bytes) == [Int64(gap)])
            }
        }
    }

    @Test func `where lines cross members' edges, their parts beside damage are dropped`() throws {
        let text = (0..<40).map { "{\"number\":\($0),\"padding\":\"abcdefgh\"}\n" }.joined()
        let size = 100
        var bytes = Gzip.bgzip(text, size: size)
        let member = Gzip.bgzip(String(text.prefix(size)), size: size, end: false).count
        bytes[member + BGZF.headerBytes + 3] ^= 0xFF
        let read = try ReadLines.of(try folder.write(bytes))
        #expect(read.damage.count == 1)
        let all = text.split(separator: "\n").map(String.init)
        let damaged = size..<2 * size
        var expected: [String] = []
        var start = 0
        for line in all {
            let range = start..<start + line.count + 1
            if !range.overlaps(damaged) && range.lowerBound != damaged.upperBound { expected.append(line) }
            if range.lowerBound == damaged.upperBound { Issue.record("choose another size") }
            start = range.upperBound
        }
        #expect(read.lines == expected)
    }
}
