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
            // It may be published meanwhile, or be another user's, whose events nobody here can promise.
            let opened = try call(fileName, allowing: ENOENT, ELOOP, EACCES, EPERM) { files throws(FileSystemError) in
                try files.open(fileName, in: descriptor)
            }
            guard let file = opened else { continue }
            defer { fileSystem.close(file) }
            try synchronize(file, named: fileName)
        }
        try synchronize()
    }
}
