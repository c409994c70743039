extension FileSystem {
    /// Whether a file ends with the empty member that seals it.
    func endsWithEndMember(_ file: FileDescriptor) throws(FileSystemError) -> Bool {
        let bytes = try retrying { () throws(FileSystemError) in try status(of: file).bytes }
        let length = BGZF.endMember.count
        if bytes < Int64(length) { return false }
        let end = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 1)
        defer { end.deallocate() }
        return try readAll(into: end, from: file, at: bytes - Int64(length)) == length && end.elementsEqual(BGZF.endMember)
    }
}
