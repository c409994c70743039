import Basics
internal import TrackingEvents

extension FileCursor {
    /// The most members of a chunk; decompressed they fill at most ``Workspace/rawLimit``.
    private static let membersPerChunk = 16
    /// The most compressed bytes of a chunk, give or take a member.
    private static let chunkBytes = 256 * 1024

    /// The members at the window's beginning, and why there are no more of them.
    private struct Walk {
        enum Stop { case full, otherGzip, damage(Damage.Kind) }

        var stop = Stop.full
        var extent = 0
        var count = 0
        /// Where the last of them begins.
        var last = 0
    }

    /// Cuts the next members out of the window. Each but the last is followed by another's header or the file's end, so a size that
    /// lies cannot end a chunk inside a member.
    func takeMembers(_ chunk: inout Chunk, _ window: InputWindow, _ workspace: Workspace) throws(FileSystemError) {
        var walk = try walkMembers(window)
        switch walk.stop {
        case .full:
            if walk.extent == 0 { mode = .done }
        case .otherGzip, .damage:
            var loss: Loss?
            if walk.count > 0, !isWhole(window, at: walk.last) {
                // That no header follows is this member's fault.
                walk.extent = walk.last
                loss = Loss(kind: .member, start: window.offset + Int64(walk.last), searchFrom: 0)
            } else if case .damage(let kind) = walk.stop {
                loss = Loss(kind: kind, start: window.offset + Int64(walk.extent), searchFrom: 0)
            }
            endsWithEndMember = false
            if var loss {
                loss.searchFrom = loss.start + 1
                mode = .lost(loss)
            } else {
                mode = .gzip
            }
        }
        guard walk.extent > 0 else { return }
        chunk.isCompressed = true
        workspace.compressedOffset = window.offset
        workspace.compressed.append(UnsafeRawBufferPointer(rebasing: window.bytes[..<walk.extent]))
        window.consume(walk.extent)
    }

    private func walkMembers(_ window: InputWindow) throws(FileSystemError) -> Walk {
        // So long that a header which is cut is cut by the end of the file.
        try window.fill(Self.chunkBytes + 2 * BGZF.memberLimit)
        var walk = Walk()
        while walk.count < Self.membersPerChunk, walk.extent < Self.chunkBytes {
            let rest = UnsafeRawBufferPointer(rebasing: window.bytes[walk.extent...])
            switch BGZF.head(of: rest) {
            case .member(let header) where header.memberBytes <= rest.count:
                endsWithEndMember = rest.starts(with: BGZF.endMember)
                walk.last = walk.extent
                walk.extent += header.memberBytes
                walk.count += 1
            case .member, .cut:
                if rest.count == 0 { return walk }
                if isNamedOpen, growthsLeft > 0 {
                    growthsLeft -= 1
                    if try window.grow() { continue }
                }
                walk.stop = .damage(BGZF.isCut(rest) ? .cut : .member)
                return walk
            case .otherGzip:
                walk.stop = isSegment ? .damage(.foreignBytes) : .otherGzip
                return walk
            case .none:
                walk.stop = .damage(.foreignBytes)
                return walk
            }
        }
        // Full: the next header is looked at here, so that the last size is believed only if it leads to one.
        let rest = UnsafeRawBufferPointer(rebasing: window.bytes[walk.extent...])
        if rest.count > 0, BGZF.head(of: rest) == .none { walk.stop = .damage(.foreignBytes) }
        return walk
    }

    private func isWhole(_ window: InputWindow, at place: Int) -> Bool {
        let bytes = UnsafeRawBufferPointer(rebasing: window.bytes[place...])
        guard case .member(let header) = BGZF.head(of: bytes) else { return false }
        scratch.removeAll()
        return blockedInflater.appendContents(of: bytes, header: header, to: scratch) == .whole
    }
}
