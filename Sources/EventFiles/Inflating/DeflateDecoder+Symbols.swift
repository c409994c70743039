/// The symbols of a block: literals, and matches that repeat what came before.
extension DeflateDecoder {
    private typealias Entry = HuffmanTable.Entry

    /// The most that the quick loop takes before its first turn, and that one turn takes and writes, with what it reads and writes
    /// too much.
    private static var quickStart: Int { 8 }
    private static var quickInput: Int { 32 }
    private static var quickOutput: Int { 8 + 258 + 32 }

    private var isPlenty: Bool {
        inputEnd - input >= Self.quickStart + Self.quickInput && outputEnd - output >= Self.quickOutput
    }

    /// Decodes while there is plenty of input and room. Ends at the block's end, at a fault, or where either becomes scarce.
    func decodeQuickly() {
        guard isPlenty else { return }
        var (bits, bitCount) = (self.bits, self.bitCount)
        var input = UnsafeRawPointer(self.input)
        var output = UnsafeMutableRawPointer(self.output)
        let lastInput = UnsafeRawPointer(inputEnd) - Self.quickInput
        let lastOutput = UnsafeMutableRawPointer(outputEnd) - Self.quickOutput
        let (literals, distances) = (self.literals.entries, self.distances.entries)
        let literalMask = UInt64(1) << UInt64(self.literals.primaryBits) - 1
        let distanceMask = UInt64(1) << UInt64(self.distances.primaryBits) - 1
        let start = UnsafeMutableRawPointer(outputStart)
        let windowCount = self.windowCount

        @inline(__always)
        func refill() {
            // What does not fit is read again the next time.
            bits |= UInt64(littleEndian: input.loadUnaligned(as: UInt64.self)) &<< UInt64(truncatingIfNeeded: bitCount)
            input += (63 &- bitCount) &>> 3
            bitCount |= 56
        }
        @inline(__always)
        func take(_ entry: UInt32) {
            // A shift looks at no more than the six bits that tell how many to take.
            bits &>>= UInt64(truncatingIfNeeded: entry)
            bitCount &-= Int(truncatingIfNeeded: entry & Entry.takenMask)
        }
        @inline(__always)
        func follow(_ link: UInt32, in table: UnsafeMutablePointer<UInt32>) -> UInt32 {
            take(link)
            let choosing = link >> Entry.lengthShift & Entry.lengthMask
            return table[Int(link >> Entry.valueShift) &+ Int(bits & (1 &<< UInt64(choosing) &- 1))]
        }
        /// Writes both bytes of the value, and counts one or two.
        @inline(__always)
        func putLiterals(_ entry: UInt32) {
            take(entry)
            output.storeBytes(of: UInt16(truncatingIfNeeded: entry >> Entry.valueShift).littleEndian, as: UInt16.self)
            output += Int(truncatingIfNeeded: 1 &+ (entry >> Entry.pairShift) & 1)
        }
        @inline(__always)
        func nextLiteral() -> UInt32 { literals[Int(truncatingIfNeeded: bits & literalMask)] }
        /// The base of a length or distance and its extra bits, which are taken with the code.
        @inline(__always)
        func takeValue(_ entry: UInt32) -> Int {
            let taken = bits & (1 &<< UInt64(truncatingIfNeeded: entry & Entry.takenMask) &- 1)
            take(entry)
            return Int(truncatingIfNeeded: entry >> Entry.valueShift)
                &+ Int(truncatingIfNeeded: taken &>> UInt64(truncatingIfNeeded: entry >> Entry.lengthShift & Entry.lengthMask))
        }

        refill()
        // Each entry is looked up before what comes before it is written: the next look-up need not wait for that.
        var entry = nextLiteral()
        while input <= lastInput && output <= lastOutput {
            // 56 bits are there. Three entries of the first table leave enough for any code of lengths and its extra bits.
            if entry & Entry.isLiteral != 0 {
                putLiterals(entry)
                entry = nextLiteral()
                if entry & Entry.isLiteral != 0 {
                    putLiterals(entry)
                    entry = nextLiteral()
                    if entry & Entry.isLiteral != 0 {
                        putLiterals(entry)
                        refill()
                        entry = nextLiteral()
                        continue
                    }
                }
            }
            if entry & Entry.isSpecial != 0 {
                if entry & Entry.isLink != 0 { entry = follow(entry, in: literals) }
                if entry & Entry.isLiteral != 0 {
                    putLiterals(entry)
                    refill()
                    entry = nextLiteral()
                    continue
                }
                if entry & Entry.isSpecial != 0 {
                    if entry & Entry.isEnd == 0 {
                        stage = .damaged
                    } else {
                        take(entry)
                        stage = .blockHeader
                    }
                    break
                }
            }
            let length = takeValue(entry)
            if bitCount < 28 { refill() }
            entry = distances[Int(truncatingIfNeeded: bits & distanceMask)]
            if entry & Entry.isSpecial != 0 {
                if entry & Entry.isLink != 0 { entry = follow(entry, in: distances) }
                if entry & Entry.isSpecial != 0 {
                    stage = .damaged
                    break
                }
            }
            let distance = takeValue(entry)
            refill()
            entry = nextLiteral()

            let produced = output - start
            var to = output
            output += length
            if distance > produced {
                if distance > produced &+ windowCount {
                    output = to
                    stage = .damaged
                    break
                }
                copyFromWindow(to.assumingMemoryBound(to: UInt8.self), length: length, distance: distance, produced: produced)
                continue
            }
            var from = UnsafeRawPointer(to - distance)
            if distance >= 16 {
                // Most matches are short: 32 bytes without a question, and more where it takes more.
                Self.copy16(from, to)
                Self.copy16(from + 16, to + 16)
                while output - to > 32 {
                    from += 32
                    to += 32
                    Self.copy16(from, to)
                    Self.copy16(from + 16, to + 16)
                }
            } else if distance >= 8 {
                repeat {
                    to.storeBytes(of: from.loadUnaligned(as: UInt64.self), as: UInt64.self)
                    from += 8
                    to += 8
                } while to < output
            } else if distance == 1 {
                to.initializeMemory(as: UInt8.self, repeating: from.load(as: UInt8.self), count: length)
            } else {
                repeat {
                    to.storeBytes(of: from.load(as: UInt8.self), as: UInt8.self)
                    from += 1
                    to += 1
                } while to < output
            }
        }

        // Whole bytes that were taken in advance are this call's: give them back, so that the input is right.
        let back = min(bitCount &>> 3, input - UnsafeRawPointer(inputStart))
        input -= back
        bitCount &-= back &* 8
        bits &= bitCount == 0 ? 0 : UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- bitCount)
        (self.bits, self.bitCount) = (bits, bitCount)
        self.input = input.assumingMemoryBound(to: UInt8.self)
        self.output = output.assumingMemoryBound(to: UInt8.self)
    }

    @inline(__always)
    private static func copy16(_ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer) {
        to.storeBytes(of: from.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
    }

    /// Copies a match that begins in the window: rare, and byte by byte.
    private func copyFromWindow(_ to: UnsafeMutablePointer<UInt8>, length: Int, distance: Int, produced: Int) {
        for place in 0..<length {
            let back = distance &- (produced &+ place)
            to[place] = back > 0 ? windowByte(back) : to[place &- distance]
        }
    }

    /// Decodes symbol by symbol, and stops at whatever bit the input ends or the room is full.
    ///
    /// - Returns: `false` if it stopped for want of input or room.
    func decodeCarefully() -> Bool {
        while true {
            switch stage {
            case .symbols:
                if isPlenty { return true }
                // 15 bits of code and 5 extra at most.
                _ = has(20)
                guard let (entry, taken) = entry(in: literals) else { return false }
                if entry & Entry.isLiteral != 0 {
                    guard output < outputEnd else { return false }
                    drop(taken)
                    output.pointee = UInt8(truncatingIfNeeded: entry >> Entry.valueShift)
                    output += 1
                } else if entry & Entry.isSpecial != 0 {
                    drop(taken)
                    stage = entry & Entry.isEnd != 0 ? .blockHeader : .damaged
                    return true
                } else {
                    stage = .distance(length: value(entry, taken))
                }
            case .distance(let length):
                // 15 bits of code and 13 extra at most.
                _ = has(28)
                guard let (entry, taken) = entry(in: distances) else { return false }
                if entry & Entry.isSpecial != 0 {
                    stage = .damaged
                    return true
                }
                let distance = value(entry, taken)
                if distance > reach {
                    stage = .damaged
                    return true
                }
                stage = .match(length: length, distance: distance)
            case .match(var length, let distance):
                while length > 0 && output < outputEnd {
                    let back = distance - (output - outputStart)
                    output.pointee = back > 0 ? windowByte(back) : output[-distance]
                    output += 1
                    length -= 1
                }
                if length > 0 {
                    stage = .match(length: length, distance: distance)
                    return false
                }
                stage = .symbols
            default: return true
            }
        }
    }

    /// The entry of the next bits and how many of them belong to it; `nil` if the input ends within it.
    private func entry(in table: HuffmanTable) -> (entry: UInt32, taken: Int)? {
        var entry = table.entries[Int(bits & (1 << UInt64(table.primaryBits) - 1))]
        // Of two literals the first one: the second is perhaps not yet there.
        var taken = Int(entry & Entry.isPair != 0 ? entry >> Entry.lengthShift & Entry.lengthMask : entry & Entry.takenMask)
        if entry & Entry.isLink != 0 {
            guard bitCount > taken else { return nil }
            let choosing = UInt64(entry >> Entry.lengthShift & Entry.lengthMask)
            let place = Int(entry >> Entry.valueShift) + Int(bits >> UInt64(taken) & (1 << choosing - 1))
            entry = table.entries[place]
            taken += Int(entry & Entry.takenMask)
            // Bits that are no code: certain only if all that could choose were there.
            if entry & (Entry.isSpecial | Entry.isEnd) == Entry.isSpecial {
                return bitCount >= table.primaryBits + Int(choosing) ? (entry, taken) : nil
            }
        } else if entry & (Entry.isSpecial | Entry.isEnd) == Entry.isSpecial {
            return bitCount >= (taken > 0 ? taken : table.primaryBits) ? (entry, taken) : nil
        }
        return bitCount >= taken ? (entry, taken) : nil
    }

    /// The length or distance of an entry with its extra bits, which end with the bits that it takes.
    private func value(_ entry: UInt32, _ taken: Int) -> Int {
        let extra = Int(entry & Entry.takenMask) - Int(entry >> Entry.lengthShift & Entry.lengthMask)
        let value = Int(entry >> Entry.valueShift) + Int(bits >> UInt64(taken - extra) & (1 << UInt64(extra) - 1))
        drop(taken)
        return value
    }
}
