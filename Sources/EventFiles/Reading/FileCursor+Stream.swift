import Basics
import Deflate

extension FileCursor {
    /// Decompresses ordinary gzip until the workspace is full, the file or this framing ends, or damage is found. A member's CRC comes
    /// last, so a long member's lines are given out unchecked. A damaged member within one chunk gives lines only if it is the only one.
    func inflateStream(_ chunk: inout Chunk, _ window: InputWindow, _ workspace: Workspace) throws(FileSystemError) {
        workspace.raw.reserve(Workspace.rawLimit - workspace.raw.count)
        if member != nil {
            member?.rawStart = nil
            workspace.marks.append(Workspace.Mark(rawStart: 0, fileOffset: member?.start ?? 0))
        }
        defer {
            if workspace.raw.count > 0 { workspace.pieces.append(Workspace.Piece(range: 0..<workspace.raw.count, followsDamage: false)) }
        }
        while workspace.raw.count < Workspace.rawLimit {
            try window.fill(1)
            if member == nil, try !beginMember(window, workspace) { return }
            let room = UnsafeMutableRawBufferPointer(
                start: workspace.raw.base + workspace.raw.count, count: Workspace.rawLimit - workspace.raw.count)
            let step = gzipInflater.inflate(window.bytes, to: room)
            workspace.raw.advance(by: step.produced)
            window.consume(step.consumed)
            if step.produced > 0 {
                member?.isEmpty = false
                endsLine = workspace.raw.raw[workspace.raw.count - 1] == 0x0A
            }
            switch step.status {
            case .more:
                if step.consumed == 0 && step.produced == 0 && window.isAtEnd && window.bytes.count == 0 {
                    return try endDamaged(.cut, &chunk, window, workspace)
                }
            case .ended:
                if member?.isEmpty == false { chunk.members += 1 }
                memberNumber += 1
                member = nil
            case .damaged: return try endDamaged(.member, &chunk, window, workspace)
            }
        }
    }

    /// Begins the next member if it is ordinary gzip. Otherwise sets the mode for what follows, and returns `false`.
    private func beginMember(_ window: InputWindow, _ workspace: Workspace) throws(FileSystemError) -> Bool {
        try window.fill(2 * BGZF.memberLimit)
        switch BGZF.head(of: window.bytes) {
        case _ where window.bytes.count == 0: mode = .done
        case .otherGzip:
            member = OpenMember(start: window.offset, rawStart: workspace.raw.count, beginsLine: endsLine)
            workspace.marks.append(Workspace.Mark(rawStart: workspace.raw.count, fileOffset: window.offset))
            gzipInflater.reset()
            return true
        case .member: mode = .blocked
        case .cut: mode = .lost(Loss(kind: .cut, start: window.offset))
        case .none: mode = .lost(Loss(kind: .foreignBytes, start: window.offset))
        }
        return false
    }

    /// Ends a member that is damaged or cut, drops its lines if they must not be used, and goes on behind it.
    private func endDamaged(
        _ kind: Damage.Kind, _ chunk: inout Chunk, _ window: InputWindow, _ workspace: Workspace
    ) throws(FileSystemError) {
        guard let member else { return }
        let isFirst = memberNumber == 0 && framing == .gzip
        memberNumber += 1
        // Searches from the member's beginning: wrong data may have led the inflater on into the next member.
        var (damage, isFound) = try search(for: Loss(kind: kind, start: member.start), window)
        let isOnlyMember = isFirst && !isFound
        if isOnlyMember {
            damage.message =
                kind == .cut
                ? "the gzip stream is cut: its whole lines are used, unproven by a CRC"
                : "the gzip stream's data, CRC or size is wrong: its lines before are used, unproven by a CRC"
        } else if let start = member.rawStart {
            workspace.raw.truncate(to: start)
        } else {
            damage.message += "; lines of its beginning were already used"
        }
        chunk.damage.append(damage)
        endsLine = member.beginsLine
        // If the member began a new line and its first bytes were given out, the cut line is all its own: what follows begins a new one.
        let nextBeginsLine = member.rawStart == nil && member.beginsLine
        if workspace.raw.count > 0 {
            chunk.endsInDamage = true
            chunk.nextBeginsLine = nextBeginsLine
        } else {
            // Bytes that are found behind the damage may still go into this chunk.
            chunk.followsDamage = true
            chunk.beginsLine = chunk.beginsLine || nextBeginsLine
        }
    }
}
