import Basics
import EventFiles
import Testing
import TrackingEvents

@testable import Funnels

@Suite("The form of partials")
struct PartialCodingTests {
    private func context() throws -> FunnelContext {
        var saved = SavedFunnel(name: "Way", steps: try FunnelStep.parse(#"a[x>=1] > "b > c"? > (d | *e)"#))
        saved.exclusions = [try .parse("!x[p=1]@1-2"), try .parse("y")]
        saved.breakdown = try .parse(#"props."a.b".c:step=2"#, top: 3)
        saved.hold = ["k", "v w"]
        saved.stepWindow = 7
        var context = try FunnelContext(try saved.definition(since: -5, until: 1_000), zone: "Asia/Tokyo")
        context.identities.add(IdentifiedLine(time: -3, anonymous: .of("a-1"), user: Array("u".utf8)))
        context.identities.add(IdentifiedLine(time: 9, anonymous: .of("a-2"), user: []))
        context.days.note(12)
        return context
    }

    private func partial() throws -> FunnelPartial {
        var quality = ReadQuality()
        quality.names.insert(Array("a".utf8))
        quality.names.insert(.of("rare"))
        let part = try #require(FunnelPart(1, of: 1))
        var partial = FunnelPartial(try context(), quality: quality, PartLedger(part, isMarked: true, lines: 3))
        try partial.merge(FunnelPartial(context(), PartLedger(split: [3])))
        let chain = FunnelChain(stepCount: 3)
        for (start, end) in [(0, 5), (2, 3), (4, .max - 1)] as [(Int64, Int64)] {
            let times = [start, start, end]
            times.withUnsafeBufferPointer { chain.set(depth: 3, taken: 0b101, times: $0.baseAddress!, previous: [0, 0, 0]) }
            let visit = Visit(first: start, last: start, user: 1, isKnownAtStart: true)
            let part = StartSelection.Part(range: StartRange(), period: nil, counts: [.all, .mature], visit: visit, user: .of("u"))
            partial.add(chain, group: Array("g".utf8), part, day: -86_400_000)
            partial.add(chain, group: [], StartSelection.Part(range: StartRange(), period: nil, counts: .all), day: 0)
        }
        (partial.duplicates, partial.withoutKey) = (2, 3)
        return partial
    }

    @Test func `a context comes back as it was`() throws {
        let context = try context()
        let read = try FunnelContext(context.bytes)
        #expect(read.definition == context.definition && read.bytes == context.bytes && read.end == DataEnd(milliseconds: 12))
        #expect(read.identities.joined == context.identities.joined && read.zone == "Asia/Tokyo")
    }

    @Test func `a partial comes back as it was`() throws {
        let partial = try partial()
        let read = try FunnelPartial(partial.bytes)
        #expect(read.bytes == partial.bytes)
        #expect(try read.result() == partial.result())
    }

    @Test(
        "numbers of any size come back",
        arguments: [0, 1, 0x7F, 0x80, 1 << 32, UInt64(Int64.max), .max - 1, .max])
    func numbers(_ number: UInt64) throws {
        func code(_ coder: inout PartialCoder, _ values: (UInt64, Int64, Int64?, Fingerprint)) throws(PartialError) -> (
            UInt64, Int64, Int64?, Fingerprint
        ) {
            var values = values
            try coder.number(&values.0)
            try coder.signed(&values.1)
            try coder.optional(&values.2)
            try coder.fingerprint(&values.3)
            return values
        }
        let values = (number, Int64(bitPattern: number), Int64?.none, Fingerprint(high: number, low: ~number))
        let bytes = PartialCoder.written(.partial) { coder throws(PartialError) in _ = try code(&coder, values) }
        var coder = try PartialCoder(bytes, kind: .partial)
        #expect(try code(&coder, (5, 5, 5, .none)) == values)
        try coder.finish()
    }

    @Test func `runs come back sorted`() throws {
        let bytes = PartialCoder.written(.partial) { coder throws(PartialError) in
            var run: [Int64] = [5, 0, .max, 5, 1]
            try coder.run(&run)
        }
        var (coder, read) = (try PartialCoder(bytes, kind: .partial), [Int64]())
        try coder.run(&read)
        #expect(read == [0, 1, 5, 5, .max])
    }

    @Test func `a partial that is cut anywhere is refused`() throws {
        let bytes = try partial().bytes
        for count in 0..<bytes.count {
            #expect(throws: PartialError.self, "\(count) bytes") { try FunnelPartial(Array(bytes[..<count])) }
        }
        #expect(throws: PartialError.self) { try FunnelPartial(bytes + [0]) }
    }

    @Test func `a partial with any bit flipped is refused`() throws {
        let bytes = try partial().bytes
        for offset in bytes.indices {
            for bit in 0..<8 {
                var spoilt = bytes
                spoilt[offset] ^= 1 << UInt8(bit)
                #expect(throws: PartialError.self, "bit \(bit) of byte \(offset)") { try FunnelPartial(spoilt) }
            }
        }
    }

    @Test func `a well-fingerprinted partial with nonsense inside is refused, or can be written again`() throws {
        let partial = try partial()
        var random = SeededRandom(seed: 5)
        var refused = 0
        for _ in 0..<2_000 {
            // Only bytes behind the head's line are changed.
            var spoilt = Array(partial.bytes.dropLast(16))
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                spoilt[Int.random(in: 20..<spoilt.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { spoilt.removeLast(Int.random(in: 1..<20, using: &random)) }
            guard let read = try? FunnelPartial(fingerprinted(spoilt)) else {
                refused += 1
                continue
            }
            #expect(try FunnelPartial(read.bytes).bytes == read.bytes)
        }
        #expect((500..<2_000).contains(refused), "\(refused) of 2,000")
    }

    /// The bytes with their fingerprint behind them.
    private func fingerprinted(_ bytes: [UInt8]) throws -> [UInt8] {
        var (tail, print) = (PartialCoder(kind: .partial), bytes.withUnsafeBytes { Fingerprint.of($0) })
        let head = tail.buffer.count
        try tail.fingerprint(&print)
        return bytes + tail.buffer.bytes[head...]
    }

    @Test(
        "runs of sequence numbers that no line can have are refused, before their differences overflow",
        arguments: [(.min, .min), (-5, 3), (0, 1)] as [(Int64, Int64)])
    func runs(first: Int64, second: Int64) throws {
        // Two runs of one session, each of one number.
        let bytes = PartialCoder.written(.partial) { coder throws(PartialError) in
            for var empty in [0, 0, 0, 0, 0] { try coder.size(&empty) }
            var (time, names, prints) = (Int64?.none, [Int](), [Int]())
            try coder.optional(&time)
            try coder.optional(&time)
            try coder.list(&names, 0) { _, _ throws(PartialError) in }
            try coder.list(&prints, 0) { _, _ throws(PartialError) in }
            var numbers = [first, second]
            try coder.list(&numbers, 0) { coder, number throws(PartialError) in
                var (isOther, session, length) = (number == first, Fingerprint.of("s"), UInt64(0))
                var gap = isOther ? first : second &- first
                try coder.flag(&isOther)
                if isOther { try coder.fingerprint(&session) }
                try coder.signed(&gap)
                try coder.number(&length)
            }
        }
        var (coder, quality) = (try PartialCoder(bytes, kind: .partial), ReadQuality())
        #expect(throws: PartialError.damaged(offset: 0)) { try quality.code(&coder) }
    }

    @Test func `sizes whose sum would overflow are refused, and so are more conversions than starts`() throws {
        let bytes = PartialCoder.written(.partial) { coder throws(PartialError) in
            for var size in [1 << 49, 1 << 49, 1] { try coder.size(&size) }
        }
        var (coder, read) = (try PartialCoder(bytes, kind: .partial), 0)
        for _ in 0..<2 { try coder.size(&read) }
        #expect(read == 1 << 49)
        #expect(throws: PartialError.self) { try coder.size(&read) }
        var spoilt = Array(try partial().bytes.dropLast(16))
        // Six keys entered and six converted. With five that entered, the share would be above 1.
        let entered = try #require(spoilt.indices.first { spoilt[$0...].starts(with: [6, 6, 3, 3]) })
        spoilt[entered] = 5
        #expect(throws: PartialError.damaged(offset: 0)) { try FunnelPartial(fingerprinted(spoilt)) }
    }

    @Test(
        "counts that no chains can have are refused",
        arguments: [
            // The text of a group, its chains, open windows, and takers of step 1: more of these than chains.
            ([1, 0x67, 3, 0, 3], [1, 0x67, 2, 0, 3]),
            // The end of a day, its visits, those that converted, and those whose group was known: more of either than visits.
            ([0xB2, 0x52, 3, 3, 3], [0xB2, 0x52, 3, 4, 3]), ([0xB2, 0x52, 3, 3, 3], [0xB2, 0x52, 3, 3, 4]),
        ] as [([UInt8], [UInt8])])
    func counts(_ given: [UInt8], _ impossible: [UInt8]) throws {
        var bytes = Array(try partial().bytes.dropLast(16))
        let places = bytes.indices.filter { bytes[$0...].starts(with: given) }
        #expect(places.count == 1)
        bytes.replaceSubrange(places[0]..<places[0] + given.count, with: impossible)
        #expect(throws: PartialError.damaged(offset: 0)) { try FunnelPartial(fingerprinted(bytes)) }
    }

    @Test func `a definition that another version wrote has an error of its own`() {
        for kind in [PartialKind.context, .partial] {
            let bytes = PartialCoder.written(kind) { coder throws(PartialError) in
                var (saved, time, isMature) = (Array(#"{"name":"n","steps":"a >","window":"1h"}"#.utf8), Int64?.none, false)
                try coder.text(&saved)
                for _ in 0..<2 { try coder.optional(&time) }
                try coder.flag(&isMature)
                try coder.optional(&time)
            }
            #expect(throws: PartialError.unknownDefinition) {
                if kind.name == "context" { _ = try FunnelContext(bytes) } else { _ = try FunnelPartial(bytes) }
            }
        }
    }

    @Test func `another version, and what is no partial, is refused by name`() throws {
        let bytes = try partial().bytes
        let later = Array("looptrail partial 4\n".utf8) + bytes.dropFirst(20)
        #expect(throws: PartialError.version(4, expected: 3)) { try FunnelPartial(later) }
        for foreign in [[], Array("{}".utf8), Array("looptrail partial \n".utf8), try context().bytes] {
            #expect(throws: PartialError.foreign(expected: PartialKind.partial.words)) { try FunnelPartial(foreign) }
        }
        #expect(throws: PartialError.foreign(expected: PartialKind.context.words)) { try FunnelContext(bytes) }
        #expect(FunnelContext.isOne(try context().bytes) && !FunnelContext.isOne(bytes))
    }

    @Test func `parts of another definition or context are refused and change nothing`() throws {
        var partial = try partial()
        let before = partial.bytes
        var context = try context()
        context.days.note(13)
        #expect(throws: PartialError.unlike) { try partial.merge(FunnelPartial(context)) }
        let plain = try FunnelContext(try FunnelDefinition(steps: FunnelStep.parse("a > b")))
        #expect(throws: PartialError.unlike) { try partial.merge(FunnelPartial(plain)) }
        #expect(throws: PartialError.unlike) { try context.merge(plain) }
        let elsewhere = try FunnelContext(context.definition)
        #expect(throws: PartialError.unlike) { try context.merge(elsewhere) }
        #expect(partial.bytes == before)
    }

    @Test func `without the quality of what was read there is no result`() throws {
        #expect(throws: PartialError.noQuality) { try FunnelPartial(context()).result() }
    }

    @Test func `a file of users is refused`() throws {
        var definition = try FunnelDefinition(steps: FunnelStep.parse("a > b"))
        definition.cohort = CohortFilter(only: try Cohort(Array("u1\n".utf8), name: "some"))
        #expect(throws: PartialError.refused("a file of users")) { try FunnelContext(definition) }
    }

    @Test func `a million durations take little more than a byte each`() throws {
        // Times to convert of up to an hour.
        var run = (0..<1_000_000).map { Int64(($0 * 7_919) % 3_600_000) }
        let bytes = PartialCoder.written(.partial) { coder throws(PartialError) in try coder.run(&run) }
        #expect(bytes.count < 1_100_000)
    }
}
