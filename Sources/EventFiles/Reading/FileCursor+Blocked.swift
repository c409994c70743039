import Basics

extension FileCursor {
    /// The most members of a chunk: decompressed, they fit into ``Workspace/rawLimit`` bytes.
    private static let membersPerChunk = 16
    /// A chunk ends with the member that reaches this many compressed bytes.
    private static let chunkBytes = 256 * 1024

    /// Cuts the next members out of the window. A header or the file's end must follow each: a wrong size must not cut one in two.
    func takeMembers(_ chunk: inout Chunk, _ window: InputWindow, _ workspace: Workspace) throws(FileSystemError) {
        let walk = try walkMembers(window)
        var extent = walk.extent
        if walk.count > 0 { endsWithEndMember = window.bytes[walk.last..<walk.extent].elementsEqual(BGZF.endMember) }
        switch walk.stop {
        case nil, .end: if extent == 0 { mode = .done }
        case .cut, .otherGzip, .foreign:
            var loss: Loss?
            if walk.count > 0, !isWhole(window, walk) {
                // No header follows because this member's size is wrong.
                extent = walk.last
                loss = Loss(kind: .member, start: window.offset + Int64(walk.last))
            } else if walk.stop != .otherGzip || isSegment {
                let rest = UnsafeRawBufferPointer(rebasing: window.bytes[walk.extent...])
                let kind = walk.stop != .cut ? Damage.Kind.foreignBytes : BGZF.isCut(rest) ? .cut : .member
                loss = Loss(kind: kind, start: window.offset + Int64(walk.extent))
            }
            endsWithEndMember = false
            mode = loss.map { .lost($0) } ?? .gzip
        }
        guard extent > 0 else { return }
        chunk.isCompressed = true
        workspace.compressedOffset = window.offset
        workspace.compressed.append(UnsafeRawBufferPointer(rebasing: window.bytes[..<extent]))
        window.consume(extent)
    }

    private func walkMembers(_ window: InputWindow) throws(FileSystemError) -> BGZF.Walk {
        // Enough that only the end of the file can cut a header.
        try window.fill(Self.chunkBytes + 2 * BGZF.memberLimit)
        var walk = BGZF.Walk()
        while walk.count < Self.membersPerChunk, walk.extent < Self.chunkBytes {
            if walk.step(in: window.bytes) { continue }
            guard walk.stop == .cut, isNamedOpen, growthsLeft > 0 else { return walk }
            growthsLeft -= 1
            if try !window.grow() { return walk }
        }
        // The last size is believed only if it leads to another header.
        walk.look(in: window.bytes)
        return walk
    }

    private func isWhole(_ window: InputWindow, _ walk: BGZF.Walk) -> Bool {
        scratch.removeAll()
        let bytes = UnsafeRawBufferPointer(rebasing: window.bytes[walk.last...])
        return blockedInflater.appendContents(of: bytes, header: walk.header, to: scratch) == .whole
    }
}
