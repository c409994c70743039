/// The headers of blocks (RFC 1951 §3.2.3, §3.2.4 and §3.2.7), and blocks without compression.
extension DeflateDecoder {
    /// Reads the next part of a block's header; `false` if the input ends before.
    func readHeader() -> Bool {
        switch stage {
        case .blockHeader: readBlockHeader()
        case .storedLength: readStoredLength()
        case .counts: readCounts()
        case .codeLengths: readCodeLengths()
        default: readSymbolLengths()
        }
    }

    private func readBlockHeader() -> Bool {
        if isLastBlock {
            giveBack()
            stage = .ended
            return true
        }
        guard has(3) else { return false }
        isLastBlock = bits & 1 == 1
        let kind = bits >> 1 & 3
        drop(3)
        switch kind {
        case 0:
            drop(bitCount & 7)
            stage = .storedLength
        case 1:
            useFixedTables()
            stage = .symbols
        case 2: stage = .counts
        default: stage = .damaged
        }
        return true
    }

    private func readStoredLength() -> Bool {
        guard has(32) else { return false }
        let length = Int(bits & 0xFFFF)
        let complement = Int(bits >> 16 & 0xFFFF)
        drop(32)
        stage = length == complement ^ 0xFFFF ? .stored(left: length) : .damaged
        return true
    }

    /// Copies bytes as they are; `false` if input or room end before.
    func copyStored(_ left: Int) -> Bool {
        var left = left
        // Whole bytes that were taken with the header.
        while left > 0 && bitCount >= 8 && output < outputEnd {
            output.pointee = UInt8(truncatingIfNeeded: bits)
            output += 1
            drop(8)
            left -= 1
        }
        if left > 0 && bitCount < 8 {
            let count = min(left, inputEnd - input, outputEnd - output)
            output.update(from: input, count: count)
            input += count
            output += count
            left -= count
        }
        stage = left == 0 ? .blockHeader : .stored(left: left)
        return left == 0
    }

    private func readCounts() -> Bool {
        guard has(14) else { return false }
        counts = (Int(bits & 31) + 257, Int(bits >> 5 & 31) + 1, Int(bits >> 10 & 15) + 4)
        drop(14)
        lengthsRead = 0
        lengths.update(repeating: 0)
        // As zlib has it: more would be codes that no stream may use.
        stage = counts.literals > 286 || counts.distances > 30 ? .damaged : .codeLengths
        return true
    }

    private func readCodeLengths() -> Bool {
        while lengthsRead < counts.codeLengths {
            guard has(3) else { return false }
            lengths[DeflateSymbols.codeLengthOrder[lengthsRead]] = UInt8(truncatingIfNeeded: bits & 7)
            drop(3)
            lengthsRead += 1
        }
        let isCode = codeLengths.build(UnsafeBufferPointer(rebasing: lengths[..<19]), allowsSingle: false) {
            UInt32($0) << HuffmanTable.Entry.valueShift
        }
        lengthsRead = 0
        stage = isCode ? .symbolLengths : .damaged
        return true
    }

    private func readSymbolLengths() -> Bool {
        let all = counts.literals + counts.distances
        while lengthsRead < all {
            // Enough for the longest code and its extra bits, or as much as there is.
            _ = has(14)
            let entry = codeLengths.entries[Int(bits & 127)]
            let codeBits = Int(entry & HuffmanTable.Entry.takenMask)
            if entry & HuffmanTable.Entry.isSpecial != 0 { return bitCount >= 7 ? fail() : false }
            let symbol = Int(entry >> HuffmanTable.Entry.valueShift)
            let extra = symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7
            guard bitCount >= codeBits + extra else { return false }
            drop(codeBits)
            let more = Int(bits & (1 << UInt64(extra) - 1))
            drop(extra)
            if symbol < 16 {
                lengths[lengthsRead] = UInt8(symbol)
                lengthsRead += 1
                continue
            }
            if symbol == 16 && lengthsRead == 0 { return fail() }
            let value = symbol == 16 ? lengths[lengthsRead - 1] : 0
            let count = more + (symbol == 18 ? 11 : 3)
            guard lengthsRead + count <= all else { return fail() }
            for place in lengthsRead..<(lengthsRead + count) { lengths[place] = value }
            lengthsRead += count
        }
        return buildTables(all)
    }

    private func buildTables(_ all: Int) -> Bool {
        useOwnTables()
        // Without an end the block could not be told from its successor.
        guard lengths[256] != 0,
            literals.build(
                UnsafeBufferPointer(rebasing: lengths[..<counts.literals]), allowsSingle: true,
                { DeflateSymbols.literalsAndLengths[$0] }),
            distances.build(
                UnsafeBufferPointer(rebasing: lengths[counts.literals..<all]), allowsSingle: true, { DeflateSymbols.distances[$0] })
        else { return fail() }
        literals.joinLiterals()
        stage = .symbols
        return true
    }

    private func fail() -> Bool {
        stage = .damaged
        return true
    }
}
