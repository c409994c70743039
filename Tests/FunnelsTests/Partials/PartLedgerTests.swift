import Testing

@testable import Funnels

@Suite("Which parts are there")
struct PartLedgerTests {
    private func part(_ number: Int, of count: Int, lines: Int, isMarked: Bool = true) throws -> PartLedger {
        PartLedger(try #require(FunnelPart(number, of: count)), isMarked: isMarked, lines: lines)
    }

    private func merged(_ ledgers: PartLedger...) throws -> PartLedger {
        var all = PartLedger()
        for ledger in ledgers { try all.merge(ledger) }
        return all
    }

    @Test func `all parts of several splits, each once and whole, pass the check`() throws {
        let splits = [PartLedger(split: [3, 0, 5]), PartLedger(split: [1, 0, 0])]
        try merged(part(3, of: 3, lines: 5), splits[1], part(1, of: 3, lines: 4), splits[0], part(2, of: 3, lines: 0)).check()
    }

    @Test func `missing parts are named`() throws {
        let split = PartLedger(split: [3, 0, 5])
        #expect(throws: PartialError.missing([1, 2, 3], of: 3)) { try split.check() }
        // A part without lines could be one that nobody counted.
        #expect(throws: PartialError.missing([2], of: 3)) { try merged(split, part(1, of: 3, lines: 3), part(3, of: 3, lines: 5)).check() }
        #expect(throws: PartialError.noQuality) { try part(1, of: 1, lines: 3).check() }
    }

    @Test func `a part or split that is there already is refused and changes nothing`() throws {
        let split = PartLedger(split: [0])
        var all = try merged(split, part(1, of: 1, lines: 0))
        #expect(throws: PartialError.repeated(part: 1, of: 1)) { try all.merge(part(1, of: 1, lines: 0)) }
        #expect(throws: PartialError.repeatedSplit) { try all.merge(split) }
        try all.check()
    }

    @Test func `parts of another split are refused`() throws {
        #expect(throws: PartialError.otherSplit(3, expected: 2)) { try merged(part(1, of: 2, lines: 1), part(2, of: 3, lines: 1)) }
        #expect(throws: PartialError.otherSplit(3, expected: 2)) { try merged(PartLedger(split: [1, 2]), PartLedger(split: [1, 2, 3])) }
        #expect(throws: PartialError.otherSplit(3, expected: 2)) { try merged(PartLedger(split: [1, 2]), part(1, of: 3, lines: 1)) }
        #expect(throws: PartialError.otherSplit(3, expected: 2)) { try merged(part(1, of: 2, lines: 1), PartLedger(split: [1, 2, 3])) }
    }

    @Test func `each part of a split has as many lines as the split gave it`() throws {
        let split = PartLedger(split: [3, 5])
        #expect(throws: PartialError.lines(part: 1, counted: 4, given: 3)) {
            try merged(split, part(1, of: 2, lines: 4), part(2, of: 2, lines: 4)).check()
        }
        // A line too many would be of another split, whose quality is not merged.
        #expect(throws: PartialError.lines(part: 2, counted: 6, given: 5)) {
            try merged(split, part(1, of: 2, lines: 3), part(2, of: 2, lines: 6)).check()
        }
    }

    @Test func `parts that somebody else made have the split's lines in sum, however they are divided`() throws {
        let split = PartLedger(split: [3, 5])
        func parts(_ lines: Int...) throws -> PartLedger {
            var all = split
            for (index, lines) in lines.enumerated() { try all.merge(part(index + 1, of: 3, lines: lines, isMarked: false)) }
            return all
        }
        try parts(8, 0, 0).check()
        #expect(throws: PartialError.lines(part: nil, counted: 7, given: 8)) { try parts(7, 0, 0).check() }
        #expect(throws: PartialError.missing([3], of: 3)) { try parts(4, 4).check() }
    }

    @Test(arguments: [(0, 1), (2, 1), (1, 0), (1, FunnelSplit.maxParts + 1), (-1, 3)])
    func `a part's number lies between 1 and the count of parts`(number: Int, count: Int) { #expect(FunnelPart(number, of: count) == nil) }
}
