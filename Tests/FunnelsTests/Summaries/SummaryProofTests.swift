import Basics
import ParquetFiles
import Testing
import TrackingEvents

@testable import EventFiles
@testable import Funnels

@Suite struct SummaryProofTests {
    private static func identifiers(_ smallest: String?, _ largest: String?, count: Int = 1) -> SummaryFacts.Identifiers {
        var ids = SummaryFacts.Identifiers()
        (ids.count, ids.smallest, ids.largest) = (count, smallest, largest)
        return ids
    }

    @Test(arguments: 0..<200) func `files overlap where the ranges of two do`(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let files = (0..<Int(random.next() % 9)).map { _ in
            let ends = (0..<2).map { _ in String(Int(random.next() % 60), radix: 36) }.sorted()
            return Self.identifiers(ends[0], ends[1], count: random.next() % 6 == 0 ? 0 : 1)
        }
        let wanted = files.indices.filter { file in
            files.indices.contains { other in
                file != other && files[file].count > 0 && files[other].count > 0 && files[file].smallest! <= files[other].largest!
                    && files[other].smallest! <= files[file].largest!
            }
        }
        #expect(SummaryProof.overlapping(files) == wanted)
    }

    @Test func `a range that is not known overlaps any`() {
        let files = [Self.identifiers("a", "b"), Self.identifiers("x", "y"), Self.identifiers(nil, nil, count: 0)]
        #expect(SummaryProof.overlapping(files) == [])
        #expect(SummaryProof.overlapping(files + [Self.identifiers(nil, nil)]) == [0, 1, 3])
    }

    // Few digests are read in one window, many in several.
    @Test(arguments: [(2, 5, 40), (3, 100, 5000), (7, 400, 20_000), (4, 60_000, Int64(1) << 48)] as [(Int, Int, Int64)])
    func `a digest is common if at least two lists have it`(lists: Int, count: Int, range: Int64) throws {
        var random = SeededRandom(seed: UInt64(count))
        var all = (0..<lists).map { _ in (0..<count).map { _ in Int64(random.next() % UInt64(range)) } }
        // At least one digest is in two lists, whatever chance makes the others.
        all[0].append(all[1][0])
        let sets = all.map { Set($0) }
        var owners: [Int64: Int] = [:]
        for set in sets { for digest in set { owners[digest, default: 0] += 1 } }
        let common = try CommonDigests(of: sets.map { try Self.list($0.sorted()) })
        #expect(common.digests.all.map { Int64($0.low) }.sorted() == owners.filter { $0.value > 1 }.keys.sorted())
        #expect(common.lists == sets.map { $0.contains { owners[$0]! > 1 } })
    }

    @Test(arguments: [0, 1, 2]) func `few lists, or none, or empty ones, have nothing in common`(lists: Int) throws {
        let common = try CommonDigests(of: (0..<lists).map { try Self.list($0 == 0 ? [] : [1, 2]) })
        #expect(common.digests.all == [] && common.lists == Array(repeating: false, count: lists))
    }

    private static func list(_ digests: [Int64]) throws -> IDDigests {
        let bytes = ByteBuffer(capacity: 64)
        digests.withUnsafeBufferPointer { DeltaEncoder.append($0, to: bytes) }
        bytes.reserve(8)
        return try IDDigests(bytes, at: 0, of: digests.count)
    }
}
