import EventFiles
import Testing

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
        partial.add(duplicates: 2, withoutKey: 3)
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
        var random = SeededNumbers(state: 5)
        var refused = 0
        for _ in 0..<2_000 {
            // Only bytes behind the head's line are changed.
            var spoilt = Array(partial.bytes.dropLast(16))
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                spoilt[Int.random(in: 20..<spoilt.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { spoilt.removeLast(Int.random(in: 1..<20, using: &random)) }
            var (tail, print) = (PartialCoder(kind: .partial), spoilt.withUnsafeBytes { Fingerprint.of($0) })
            let head = tail.bytes.count
            try tail.fingerprint(&print)
            guard let read = try? FunnelPartial(spoilt + tail.bytes[head...]) else {
                refused += 1
                continue
            }
            #expect(try FunnelPartial(read.bytes).bytes == read.bytes)
        }
        #expect((500..<2_000).contains(refused), "\(refused) of 2,000")
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

    @Test func `without a word on what was read there is no result`() throws {
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
