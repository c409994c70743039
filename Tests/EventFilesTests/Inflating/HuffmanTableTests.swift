import Testing
import TrackingEvents

@testable import EventFiles

@Suite struct HuffmanTableTests {
    private typealias Entry = HuffmanTable.Entry

    /// The lengths of a whole code, made by splitting codes at random; behind it symbols without one.
    private func lengths(_ random: inout SeededRandom, codes: Int) -> [UInt8] {
        var lengths: [UInt8] = [0]
        while lengths.count < codes {
            let place = Int(random.next() % UInt64(lengths.count))
            guard lengths[place] < 15 else { continue }
            lengths[place] += 1
            lengths.append(lengths[place])
        }
        lengths += Array(repeating: 0, count: 257 - lengths.count)
        lengths.shuffle(using: &random)
        return lengths
    }

    @Test("an entry of two literals says what two look-ups say", arguments: [2, 5, 40, 200, 257])
    func joined(codes: Int) {
        var random = SeededRandom(seed: UInt64(codes))
        for _ in 0..<20 {
            let lengths = lengths(&random, codes: codes)
            let (single, joined) = (HuffmanTable(primaryBits: 11, symbols: 288), HuffmanTable(primaryBits: 11, symbols: 288))
            defer {
                single.deallocate()
                joined.deallocate()
            }
            for table in [single, joined] {
                let isCode = lengths.withUnsafeBufferPointer {
                    table.build($0, allowsSingle: true) { DeflateSymbols.literalsAndLengths[$0] }
                }
                #expect(isCode)
            }
            joined.joinLiterals()
            for bits in 0..<(1 << 11) {
                let (first, entry) = (single.entries[bits], joined.entries[bits])
                let taken = Int(first & Entry.takenMask)
                let second = single.entries[bits >> taken]
                let fits =
                    first & Entry.isLiteral != 0 && second & Entry.isLiteral != 0 && taken + Int(second & Entry.takenMask) <= 11
                guard fits else {
                    #expect(entry == first)
                    continue
                }
                #expect(entry & Entry.isLiteral != 0 && entry & Entry.isPair != 0 && entry & Entry.isSpecial == 0)
                #expect(Int(entry & Entry.takenMask) == taken + Int(second & Entry.takenMask))
                #expect(Int(entry >> Entry.lengthShift & Entry.lengthMask) == taken)
                #expect(entry >> Entry.valueShift & 0xFF == first >> Entry.valueShift)
                #expect(entry >> (Entry.valueShift + 8) == second >> Entry.valueShift)
            }
        }
    }
}
