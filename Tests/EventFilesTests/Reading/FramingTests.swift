import Foundation
import Testing
import TrackingEvents

@testable import EventFiles

/// Lines in every framing, joined in every way, and what the report says of them.
@Suite struct FramingTests {
    private let folder: ReadingFolder
    init() throws { folder = try ReadingFolder() }

    private static let text = (1...9).map { "{\"line\":\($0)}\n" }.joined()
    private static let lines = (1...9).map { "{\"line\":\($0)}" }

    /// Makes one member of some framing.
    private enum Kind: String, CaseIterable {
        case blocked, sealed, ordinary, named, full, stored

        func member(_ text: String) -> [UInt8] {
            let bytes = Array(text.utf8)
            return switch self {
            case .blocked: Gzip.blocked([text], end: false)
            case .sealed: Gzip.blocked([text])
            case .ordinary: Gzip.ordinary(bytes)
            case .named: Gzip.ordinary(bytes, name: "events.ndjson")
            case .full:
                Gzip.ordinary(bytes, name: "n", comment: String(repeating: "c", count: 700), extra: [1, 2, 3, 4, 5], headerCRC: true)
            // An extra field that is almost the one of blocked gzip: its length is wrong.
            case .stored: Gzip.ordinary(bytes, extra: [0x42, 0x43, 1, 0, 7])
            }
        }
    }

    @Test func `any two framings joined at any line give all lines`() throws {
        for first in Kind.allCases {
            for second in Kind.allCases {
                for cut in 1..<Self.lines.count {
                    let parts = [Self.lines[..<cut], Self.lines[cut...]].map { $0.map { $0 + "\n" }.joined() }
                    let bytes = first.member(parts[0]) + second.member(parts[1])
                    let read = try ReadLines.of(try folder.write(bytes, "a.ndjson.gz.open"))
                    #expect(read.lines == Self.lines, "\(first), \(second), \(cut)")
                    #expect(read.damage == [])
                    #expect(read.report.members == 2)
                    #expect(read.report.bytes == Int64(bytes.count))
                }
            }
        }
    }

    @Test func `three members joined in the middle of lines, of any framings, give whole lines`() throws {
        let bytes = Array(Self.text.utf8)
        var random = SeededRandom(seed: 51)
        for _ in 0..<200 {
            let cuts = [Int.random(in: 1..<bytes.count, using: &random), Int.random(in: 1..<bytes.count, using: &random)].sorted()
            let parts = [bytes[..<cuts[0]], bytes[cuts[0]..<cuts[1]], bytes[cuts[1]...]]
            let kinds = parts.map { _ in Kind.allCases.randomElement(using: &random) ?? .blocked }
            let joined = zip(kinds, parts).flatMap { $0.member(String(decoding: $1, as: UTF8.self)) }
            let read = try ReadLines.of(try folder.write(joined, "a.ndjson.gz.open"))
            #expect(read.lines == Self.lines, "\(kinds), \(cuts)")
            #expect(read.damage == [])
        }
    }

    @Test func `any number of threads gives the same lines, places and report`() throws {
        let own = (0..<30_000).map { "{\"line\":\($0),\"x\":\"\(String(repeating: "y", count: $0 % 60))\"}" }
        let text = own.map { $0 + "\n" }.joined()
        let halves = [own[..<15_000], own[15_000...]].map { $0.map { $0 + "\n" }.joined() }
        var damaged = Gzip.bgzip(text, size: 50_000)
        damaged[damaged.count / 2] ^= 0x10
        try folder.write(damaged, "1.ndjson.gz")
        try folder.write(Gzip.bgzip(text, size: 997), "2.ndjson.gz")
        try folder.write(halves.flatMap { Gzip.ordinary($0) }, "3.ndjson.gz")
        try folder.write(text, "4.ndjson")
        try folder.write([], "5.ndjson.gz")
        func read(_ threads: Int) throws -> (places: [[Int64]], bytes: Int, report: ReadResult) {
            var places: [[Int64]] = []
            var bytes = 0
            let report = try EventFileReader(paths: [folder.path]).read(
                threads: threads,
                map: { batch in
                    var places: [[Int64]] = []
                    var number = Int64(batch.firstLineNumber)
                    var bytes = 0
                    batch.forEachLine { line in
                        places.append([Int64(batch.fileIndex), number, batch.byteOffset(of: line), Int64(line.count)])
                        number += 1
                        bytes += line.count + 1
                    }
                    #expect(bytes == batch.byteCount)
                    return (places, bytes)
                },
                consume: {
                    places += $0.0
                    bytes += $0.1
                })
            return (places, bytes, report)
        }
        let expected = try read(1)
        #expect(expected.report.files.map(\.lines).dropFirst() == [30_000, 30_000, 30_000, 0])
        #expect(expected.report.damagedMembers == 2)
        #expect(expected.report.files.map(\.framing) == [.blocked, .blocked, .gzip, .plain, .empty])
        for threads in 1...8 {
            let actual = try read(threads)
            let isSame = actual.places == expected.places && actual.bytes == expected.bytes && actual.report == expected.report
            #expect(isSame, "\(threads) threads")
        }
    }

    @Test func `in a plain file a line's byte offset is where it begins, however many chunks there are`() throws {
        let own = (0..<60_000).map { "line \($0) \(String(repeating: "z", count: $0 % 70))" }
        let path = try folder.write([0xEF, 0xBB, 0xBF] + Array(own.joined(separator: "\n").utf8), "a.ndjson")
        let offsets = try placesOfLines(path)
        var expected: [Int64] = []
        var place: Int64 = 3
        for line in own {
            expected.append(place)
            place += Int64(line.utf8.count) + 1
        }
        #expect(offsets == expected)
    }

    @Test(arguments: [700, 4099, 65_280])
    func `in a blocked file a line's byte offset is that of the member with its first byte`(size: Int) throws {
        let own = (0..<20_000).map { "line \($0) \(String(repeating: "z", count: $0 % 70))\n" }
        let bytes = Gzip.bgzip(own.joined(), size: size)
        var starts: [Int64] = []
        var place = 0
        while case .member(let header) = bytes[place...].withUnsafeBytes({ BGZF.head(of: $0) }) {
            starts.append(Int64(place))
            place += header.memberBytes
            if place == bytes.count { break }
        }
        var expected: [Int64] = []
        var raw = 0
        for line in own {
            expected.append(starts[raw / size])
            raw += line.utf8.count
        }
        #expect(try placesOfLines(try folder.write(bytes)) == expected)
    }

    private func placesOfLines(_ path: String) throws -> [Int64] {
        var offsets: [Int64] = []
        _ = try EventFileReader(paths: [path]).read(
            threads: 2,
            map: { batch in
                var offsets: [Int64] = []
                batch.forEachLine { offsets.append(batch.byteOffset(of: $0)) }
                return offsets
            }, consume: { offsets += $0 })
        return offsets
    }
}
