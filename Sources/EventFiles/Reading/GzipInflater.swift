/// Decompresses ordinary gzip members (RFC 1952) piece by piece, header, CRC and size checked.
final class GzipInflater {
    enum Outcome: Equatable {
        /// It goes on: more input is wanted or the room is full.
        case more
        /// A member has ended; its CRC and size are right.
        case memberEnd
        /// The header, the data, the CRC or the size is wrong.
        case damaged
    }

    private enum Stage { case header, body, trailer, ended, damaged }

    private let decoder = DeflateDecoder()
    private var header = GzipHeaderReader()
    private var stage = Stage.header
    private var checksum: UInt32 = 0
    private var size: UInt32 = 0
    /// CRC and size, as far as they have been read.
    private var trailer: UInt64 = 0
    private var trailerBytes = 0

    /// Makes ready for the next member.
    func reset() {
        decoder.reset()
        header = GzipHeaderReader()
        (stage, checksum, size, trailer, trailerBytes) = (.header, 0, 0, 0, 0)
    }

    /// Decompresses as much as input and room allow.
    func inflate(_ input: UnsafeRawBufferPointer, to room: UnsafeMutableRawBufferPointer) -> (
        outcome: Outcome, consumed: Int, produced: Int
    ) {
        var consumed = 0
        if stage == .header {
            while consumed < input.count && header.state == .reading {
                header.take(input[consumed])
                consumed += 1
            }
            switch header.state {
            case .reading: return (.more, consumed, 0)
            case .wrong: stage = .damaged
            case .whole: stage = .body
            }
        }
        var produced = 0
        if stage == .body {
            let step = decoder.decode(UnsafeRawBufferPointer(rebasing: input[consumed...]), to: room)
            consumed += step.consumed
            produced = step.produced
            checksum = FoldedCRC32.updated(checksum, with: UnsafeRawBufferPointer(rebasing: room[..<produced]))
            size &+= UInt32(truncatingIfNeeded: produced)
            switch step.status {
            case .more: break
            case .ended: stage = .trailer
            case .damaged: stage = .damaged
            }
        }
        if stage == .trailer { consumed += readTrailer(UnsafeRawBufferPointer(rebasing: input[consumed...])) }
        return (stage == .ended ? .memberEnd : stage == .damaged ? .damaged : .more, consumed, produced)
    }

    /// - Returns: how many bytes it took.
    private func readTrailer(_ input: UnsafeRawBufferPointer) -> Int {
        var consumed = 0
        while trailerBytes < 8 {
            let byte: UInt8
            if let leftover = decoder.takeLeftover() {
                byte = leftover
            } else if consumed < input.count {
                byte = input[consumed]
                consumed += 1
            } else {
                return consumed
            }
            trailer |= UInt64(byte) << UInt64(8 * trailerBytes)
            trailerBytes += 1
        }
        stage = trailer == UInt64(size) << 32 | UInt64(checksum) ? .ended : .damaged
        return consumed
    }

    /// What can be said of a place where a member may begin.
    enum Proof { case member, none, needsMore }

    /// As many sound bytes, compressed or not, as rule out chance.
    private static let proofBytes = 128 * 1024

    /// Whether a gzip member begins here that holds together: it ends with the right CRC, or goes on soundly for so long that chance is
    /// ruled out. For places that damage makes doubtful.
    func proof(of bytes: UnsafeRawBufferPointer) -> Proof {
        reset()
        defer { reset() }
        var place = 0
        var produced = 0
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 16)
        defer { room.deallocate() }
        while produced < Self.proofBytes && place < Self.proofBytes {
            let step = inflate(UnsafeRawBufferPointer(rebasing: bytes[place...]), to: room)
            place += step.consumed
            produced += step.produced
            switch step.outcome {
            case .memberEnd: return .member
            case .damaged: return .none
            case .more: if step.consumed == 0 && step.produced == 0 { return .needsMore }
            }
        }
        return .member
    }
}
