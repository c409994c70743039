import Basics
internal import TrackingEvents

extension FileCursor {
    /// How many bytes are searched at once: more than two blocked members.
    private static let searchBytes = 256 * 1024

    /// Where a search in a window ended: at a member, or at an offset before which none begins.
    struct Found {
        var member: (offset: Int, isBlocked: Bool)?
        var searchedTo: Int
    }

    /// Moves the window to the next sound member behind a loss, or to the file's end. Returns what was lost, and whether one was found.
    func search(for loss: Loss, _ window: InputWindow) throws(FileSystemError) -> (damage: Damage, isFound: Bool) {
        let first = loss.start + 1
        window.rewind(to: first)
        if window.offset < first {
            try window.fill(Int(first - window.offset))
            window.consume(min(Int(first - window.offset), window.bytes.count))
        }
        member = nil
        var found: Found
        repeat {
            try window.fill(Self.searchBytes)
            found = findMember(in: window.bytes, from: 0, isAtEnd: window.isAtEnd)
            window.consume(found.searchedTo)
        } while found.member == nil && !window.isAtEnd
        let isFound = found.member != nil
        mode = found.member.map { $0.isBlocked ? .blocked : .gzip } ?? .done
        // A member that goes beyond the end of the file is cut only if no member follows; otherwise its size is wrong.
        let kind = loss.kind == .cut && isFound ? .member : loss.kind
        return (Self.damage(kind, from: loss.start, to: window.offset), isFound)
    }

    func findMember(in bytes: UnsafeRawBufferPointer, from start: Int, isAtEnd: Bool) -> Found {
        scratch.removeAll()
        let found: Found
        switch BGZF.nextMember(in: bytes, from: min(start, bytes.count), inflater: blockedInflater, scratch: scratch) {
        case .member(let offset, _): found = Found(member: (offset, true), searchedTo: offset)
        // At the end of the file, a blocked candidate that is cut is no member, and an ordinary member may follow it.
        case .none(let searchedTo): found = Found(member: nil, searchedTo: isAtEnd ? bytes.count : searchedTo)
        }
        var next = start
        while !isSegment, let candidate = JSONBytes.first(0x1F, in: bytes, from: next), candidate < found.searchedTo {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[candidate...])
            if BGZF.head(of: rest) == .otherGzip {
                switch gzipInflater.proof(of: rest) {
                case .member: return Found(member: (candidate, false), searchedTo: candidate)
                case .needsMore: if !isAtEnd { return Found(member: nil, searchedTo: candidate) }
                case .none: break
                }
            }
            next = candidate + 1
        }
        return found
    }

    static func damage(_ kind: Damage.Kind, from start: Int64, to end: Int64) -> Damage {
        let bytes = end - start
        let message =
            switch kind {
            case .cut: "the file ends inside a member: its last \(bytes) bytes give no whole member"
            case .foreignBytes: "\(bytes) bytes that belong to no member passed over"
            case .member, .missingEnd, .longLine: "a member's data, CRC or size is wrong: \(bytes) bytes passed over"
            }
        return Damage(kind: kind, byteOffset: start, bytes: bytes, message: message)
    }
}
