/// The symbols of a block: literals, and matches that repeat what came before.
extension DeflateDecoder {
    private typealias Entry = HuffmanTable.Entry

    /// The most that one turn of the quick loop takes and writes, with what it writes too much.
    private static var quickInput: Int { 16 }
    private static var quickOutput: Int { 3 + 258 + 8 }

    /// Decodes while there is plenty of input and room. Ends at the block's end, at a fault, or where either becomes scarce.
    func decodeQuickly() {
        guard inputEnd - input >= Self.quickInput, outputEnd - output >= Self.quickOutput else { return }
        var (bits, bitCount) = (self.bits, self.bitCount)
        var (input, output) = (UnsafeRawPointer(self.input), self.output)
        let lastInput = UnsafeRawPointer(inputEnd) - Self.quickInput
        let lastOutput = outputEnd - Self.quickOutput
        let (literals, distances) = (self.literals.entries, self.distances.entries)
        let literalMask = UInt64(1) << UInt64(self.literals.primaryBits) - 1
        let distanceMask = UInt64(1) << UInt64(self.distances.primaryBits) - 1
        let start = outputStart
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
            bits &>>= UInt64(entry & Entry.takenMask)
            bitCount &-= Int(truncatingIfNeeded: entry & Entry.takenMask)
        }
        @inline(__always)
        func follow(_ link: UInt32, in table: UnsafeMutablePointer<UInt32>) -> UInt32 {
            take(link)
            let choosing = link >> Entry.lengthShift & Entry.lengthMask
            let place = Int(link >> Entry.valueShift & Entry.valueMask) &+ Int(bits & (1 &<< UInt64(choosing) &- 1))
            return table[place]
        }

        loop: while input <= lastInput && output <= lastOutput {
            refill()
            var entry = literals[Int(bits & literalMask)]
            // Two literals of the first table leave room in the bits for any code and its extra bits.
            if entry & Entry.isLiteral != 0 {
                take(entry)
                output[0] = UInt8(truncatingIfNeeded: entry >> Entry.valueShift)
                output += 1
                entry = literals[Int(bits & literalMask)]
                if entry & Entry.isLiteral != 0 {
                    take(entry)
                    output[0] = UInt8(truncatingIfNeeded: entry >> Entry.valueShift)
                    output += 1
                    entry = literals[Int(bits & literalMask)]
                    if entry & Entry.isLiteral != 0 {
                        take(entry)
                        output[0] = UInt8(truncatingIfNeeded: entry >> Entry.valueShift)
                        output += 1
                        continue
                    }
                }
            }
            if entry & Entry.isSpecial != 0 {
                if entry & Entry.isLink != 0 { entry = follow(entry, in: literals) }
                if entry & Entry.isLiteral != 0 {
                    take(entry)
                    output[0] = UInt8(truncatingIfNeeded: entry >> Entry.valueShift)
                    output += 1
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
            var saved = bits
            take(entry)
            var codeBits = UInt64(entry >> Entry.lengthShift & Entry.lengthMask)
            var extraMask = UInt64(1) &<< (UInt64(entry & Entry.takenMask) &- codeBits) &- 1
            let length = Int(entry >> Entry.valueShift) &+ Int((saved &>> codeBits) & extraMask)

            refill()
            entry = distances[Int(bits & distanceMask)]
            if entry & Entry.isLink != 0 { entry = follow(entry, in: distances) }
            if entry & Entry.isSpecial != 0 {
                stage = .damaged
                break
            }
            saved = bits
            take(entry)
            codeBits = UInt64(entry >> Entry.lengthShift & Entry.lengthMask)
            extraMask = UInt64(1) &<< (UInt64(entry & Entry.takenMask) &- codeBits) &- 1
            let distance = Int(entry >> Entry.valueShift) &+ Int((saved &>> codeBits) & extraMask)

            let produced = output - start
            if distance > produced {
                if distance > produced &+ windowCount {
                    stage = .damaged
                    break
                }
                // It begins in the window: rare, and byte by byte.
                for place in 0..<length {
                    let back = distance &- (produced &+ place)
                    output[place] = back > 0 ? windowByte(back) : output[place &- distance]
                }
                output += length
                continue
            }
            let target = output
            output += length
            if distance >= 8 {
                var (from, to) = (UnsafeRawPointer(target) - distance, UnsafeMutableRawPointer(target))
                repeat {
                    to.storeBytes(of: from.loadUnaligned(as: UInt64.self), as: UInt64.self)
                    from += 8
                    to += 8
                } while to < UnsafeMutableRawPointer(output)
            } else if distance == 1 {
                target.update(repeating: target[-1], count: length)
            } else {
                var place = 0
                while place < length {
                    target[place] = target[place &- distance]
                    place &+= 1
                }
            }
        }

        // Whole bytes that were taken in advance are this call's: give them back, so that the input is right.
        let back = min(bitCount &>> 3, input - UnsafeRawPointer(inputStart))
        input -= back
        bitCount &-= back &* 8
        bits &= bitCount == 0 ? 0 : UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- bitCount)
        (self.bits, self.bitCount) = (bits, bitCount)
        self.input = input.assumingMemoryBound(to: UInt8.self)
        self.output = output
    }

    /// Decodes symbol by symbol, and stops at whatever bit the input ends or the room is full.
    ///
    /// - Returns: `false` if it stopped for want of input or room.
    func decodeCarefully() -> Bool {
        while true {
            switch stage {
            case .symbols:
                if inputEnd - input >= Self.quickInput && outputEnd - output >= Self.quickOutput { return true }
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
        var taken = Int(entry & Entry.takenMask)
        if entry & Entry.isLink != 0 {
            guard bitCount > taken else { return nil }
            let choosing = UInt64(entry >> Entry.lengthShift & Entry.lengthMask)
            let place = Int(entry >> Entry.valueShift & Entry.valueMask) + Int(bits >> UInt64(taken) & (1 << choosing - 1))
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
