/// The symbols of the deflate format as table entries (RFC 1951 §3.2.5).
enum DeflateSymbols {
    private typealias Entry = HuffmanTable.Entry

    /// The order in which a block's header gives the lengths of the code for code lengths.
    static let codeLengthOrder: [Int] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// The lengths of the fixed code for literals and lengths.
    static let fixedLengths: [UInt8] =
        Array(repeating: 8, count: 144) + Array(repeating: 9, count: 112) + Array(repeating: 7, count: 24) + Array(repeating: 8, count: 8)
    static let fixedDistances = [UInt8](repeating: 5, count: 32)

    /// For each symbol of the code for literals and lengths; 286 and 287 take part in the fixed code and mean nothing.
    static let literalsAndLengths: [UInt32] = (0..<288).map { symbol in
        switch symbol {
        case ..<256: return Entry.isLiteral | UInt32(symbol) << Entry.valueShift
        case 256: return Entry.isSpecial | Entry.isEnd
        case 285: return 258 << Entry.valueShift
        case 286...: return Entry.isSpecial
        default:
            let number = symbol - 257
            let extra = number < 8 ? 0 : number / 4 - 1
            let base = number < 8 ? number + 3 : (4 + number % 4) << extra + 3
            return UInt32(base) << Entry.valueShift | UInt32(extra)
        }
    }

    /// For each symbol of the code for distances; 30 and 31 take part in the fixed code and mean nothing.
    static let distances: [UInt32] = (0..<32).map { symbol in
        if symbol >= 30 { return Entry.isSpecial }
        let extra = symbol < 4 ? 0 : symbol / 2 - 1
        let base = symbol < 4 ? symbol + 1 : (2 + symbol % 2) << extra + 1
        return UInt32(base) << Entry.valueShift | UInt32(extra)
    }
}
