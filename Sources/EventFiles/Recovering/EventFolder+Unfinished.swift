import Basics

extension EventFolder {
    /// Brings to the storage what killed writers left and no recovery has looked at yet: their segments under way, their rings, and all
    /// names.
    ///
    /// A recovery brings to the storage what it makes. Until then a power loss could take what a durable flush has promised.
    ///
    /// - Parameter own: the writer whose files are left out, as in ``SegmentName/writerName``.
    func synchronizeUnfinished(but own: String) throws(FileSystemError) {
        for fileName in try names().sorted() {
            guard let (name, state) = SegmentName.parse(fileName), state == .open || state == .ring, name.writerName != own,
                try status(fileName)?.kind == .regular
            else { continue }
            let file: FileDescriptor
            do throws(FileSystemError) {
                file = try call(fileName) { files throws(FileSystemError) in try files.open(fileName, in: descriptor) }
            } catch {
                // It is published meanwhile, or another user's, whose events nobody here can promise.
                if [ENOENT, ELOOP, EACCES, EPERM].contains(error.errno) { continue }
                throw error
            }
            defer { fileSystem.close(file) }
            try call(fileName) { files throws(FileSystemError) in try files.synchronize(file) }
        }
        try synchronize()
    }
}
