/// Identifies a sealed segment by its size, and by the CRCs and sizes of its members. Nothing is inflated for that.
struct SegmentMark: Sendable, Hashable {
    var bytes: Int64
    /// The number of members, the empty one at the end included. `proof` is a fingerprint of their CRCs and sizes, in their order.
    var members: Int
    var proof: Fingerprint

    /// Enough for a member's trailer and the next header, with about a hundred bytes of extra fields before its size.
    private static let window = 128

    /// Walks from member to member, with one read for each. `nil` unless it is blocked members, the empty one last, of the `known` size.
    static func of(_ file: FileDescriptor, bytes known: Int64? = nil, on fileSystem: any FileSystem) throws(FileSystemError) -> SegmentMark?
    {
        let bytes = try fileSystem.retrying(fileSystem.status(of: file).bytes)
        if let known, known != bytes { return nil }
        let window = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.window, alignment: 8)
        defer { window.deallocate() }
        var mark = SegmentMark(bytes: bytes, members: 0, proof: Fingerprint(high: 0, low: 0))
        var offset: Int64 = 0
        var count = try fileSystem.readAll(into: window, from: file, at: 0)
        var head = BGZF.head(of: UnsafeRawBufferPointer(rebasing: window[..<count]))
        while case .member(let header) = head {
            let end = offset + Int64(header.memberBytes)
            guard end <= bytes else { return nil }
            count = try fileSystem.readAll(into: window, from: file, at: end - Int64(BGZF.trailerBytes))
            guard count >= BGZF.trailerBytes else { return nil }
            let raw = UnsafeRawBufferPointer(rebasing: window[..<count])
            let (checksum, size) = (raw.littleEndian32(at: 0), raw.littleEndian32(at: 4))
            mark.proof = .of(mark.proof, Fingerprint(high: UInt64(checksum), low: UInt64(size) << 32 | UInt64(header.memberBytes)))
            mark.members += 1
            offset = end
            if offset == bytes { return size == 0 ? mark : nil }
            head = BGZF.head(of: UnsafeRawBufferPointer(rebasing: raw[BGZF.trailerBytes...]))
        }
        return nil
    }
}
