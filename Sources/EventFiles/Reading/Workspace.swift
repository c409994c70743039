import Basics

/// What one thread needs to turn a chunk of a file into lines; reused from chunk to chunk.
final class Workspace {
    /// Raw bytes that lie together, and whether something before them is missing.
    struct Piece {
        var range: Range<Int>
        var followsDamage: Bool
    }

    /// From `rawStart` on, the raw bytes come from this offset of the file.
    struct Mark {
        var rawStart: Int
        var fileOffset: Int64
        /// The compressed size of a blocked member; 0 for anything else.
        var memberBytes = 0
    }

    /// The most raw bytes of a chunk. Not more than a line may have, so that only a line over a chunk's edge can be too long.
    static let rawLimit = EventFileReader.lineLimit

    /// Whole blocked members, and where in the file they lie.
    let compressed = ByteBuffer(capacity: 256 * 1024)
    var compressedOffset: Int64 = 0
    let raw = ByteBuffer(capacity: rawLimit + BGZF.memberLimit)
    var pieces: [Piece] = []
    var marks: [Mark] = []
    let inflater = BGZFInflater()

    func reset() {
        compressed.removeAll()
        raw.removeAll()
        pieces.removeAll(keepingCapacity: true)
        marks.removeAll(keepingCapacity: true)
    }

    /// Decompresses the members of a chunk. A member whose CRC or size is wrong gives nothing; the next one with the right CRC is taken.
    func inflateMembers(of chunk: inout Chunk) {
        var start = 0
        var pieceStart = 0
        var followsDamage = chunk.followsDamage
        while start < compressed.count {
            let rest = UnsafeRawBufferPointer(rebasing: compressed.raw[start...])
            let before = raw.count
            let head = BGZF.head(of: rest)
            if case .member(let header) = head, inflater.appendContents(of: rest, header: header, to: raw) == .whole {
                if raw.count > before { chunk.members += 1 }
                marks.append(Mark(rawStart: before, fileOffset: compressedOffset + Int64(start), memberBytes: header.memberBytes))
                start += header.memberBytes
                continue
            }
            raw.truncate(to: before)
            if before > pieceStart { pieces.append(Piece(range: pieceStart..<before, followsDamage: followsDamage)) }
            pieceStart = before
            followsDamage = true
            let next = end(ofDamageAt: start, head)
            let message = "the member's data, CRC or size is wrong: \(next - start) bytes passed over, none of its lines used"
            chunk.damage.append(
                Damage(kind: .member, byteOffset: compressedOffset + Int64(start), bytes: Int64(next - start), message: message))
            start = next
        }
        if raw.count > pieceStart {
            pieces.append(Piece(range: pieceStart..<raw.count, followsDamage: followsDamage))
        } else if followsDamage {
            chunk.endsInDamage = true
        }
    }

    /// Where to go on after a damaged member: at the next one with the right CRC, or before that at the header that the damaged member's
    /// size leads to. So two damaged members side by side count as two, wherever chunks end.
    private func end(ofDamageAt start: Int, _ head: BGZF.Head) -> Int {
        var next = compressed.count
        if case .member(let offset, _) = BGZF.nextMember(in: compressed.raw, from: start + 1, inflater: inflater, scratch: raw) {
            next = offset
        }
        guard case .member(let header) = head, start + header.memberBytes < next else { return next }
        let claimed = UnsafeRawBufferPointer(rebasing: compressed.raw[(start + header.memberBytes)...])
        if case .member(let following) = BGZF.head(of: claimed), following.memberBytes <= claimed.count {
            return start + header.memberBytes
        }
        return next
    }
}
