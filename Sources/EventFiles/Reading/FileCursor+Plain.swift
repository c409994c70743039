import Basics
internal import TrackingEvents

extension FileCursor {
    /// Takes plain lines, up to where a member may begin. JSON has no byte 1F: such a byte is damage or begins a member. A member can
    /// follow plain lines if files were joined, or if a file's head was cut off inside a stored member, which looks like plain lines.
    func takePlain(_ chunk: inout Chunk, _ window: InputWindow, _ workspace: Workspace) throws(FileSystemError) {
        try window.fill(isLive ? 1 : Workspace.rawLimit)
        if isLive, window.bytes.first == 0x1F { try window.fill(Workspace.rawLimit) }
        if window.offset > 0, let isBlocked = memberBegins(window.bytes) {
            (framing, mode) = isBlocked ? (.blocked, .blocked) : (.gzip, .gzip)
            let message = "\(window.offset) bytes that belong to no member stand before the first one: the whole lines among them are used"
            chunk.damage.append(Damage(kind: .foreignBytes, byteOffset: 0, bytes: 0, message: message))
            (chunk.followsDamage, chunk.beginsLine) = (true, true)
            return
        }
        let limit = min(window.bytes.count, Workspace.rawLimit)
        guard limit > 0 else {
            mode = .done
            return
        }
        let end = Self.candidate(in: window.bytes, before: limit) ?? limit
        let bytes = UnsafeRawBufferPointer(rebasing: window.bytes[..<end])
        chunk.isPlain = true
        workspace.marks.append(Workspace.Mark(rawStart: 0, fileOffset: window.offset))
        workspace.raw.append(bytes)
        workspace.pieces.append(Workspace.Piece(range: 0..<bytes.count, followsDamage: false))
        window.consume(bytes.count)
    }

    /// Where a member may begin, after the first byte, which the caller has looked at.
    private static func candidate(in bytes: UnsafeRawBufferPointer, before limit: Int) -> Int? {
        var start = 1
        while let found = JSONBytes.first(0x1F, in: bytes, from: start), found < limit {
            if BGZF.head(of: UnsafeRawBufferPointer(rebasing: bytes[found...])) != .none { return found }
            start = found + 1
        }
        return nil
    }

    /// `true` if a sound blocked member begins here, `false` if a sound ordinary one does; `nil` if none does.
    private func memberBegins(_ bytes: UnsafeRawBufferPointer) -> Bool? {
        switch BGZF.head(of: bytes) {
        case .member(let header) where header.memberBytes <= bytes.count:
            scratch.removeAll()
            return blockedInflater.appendContents(of: bytes, header: header, to: scratch) == .whole ? true : nil
        case .otherGzip: return gzipInflater.proof(of: bytes) == .member ? false : nil
        case .member, .cut, .none: return nil
        }
    }
}
