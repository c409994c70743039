import Basics

/// The steps by which segments come into a folder, are taken over, and are published; each leaves a state that recovery knows.
extension EventFolder {
    /// Makes a file and locks it; `nil` when somebody took it for an orphan before the lock was there, or the name is taken.
    func createLocked(_ name: String) throws(FileSystemError) -> FileDescriptor? {
        guard let file = try call(name, fileSystem.create(name, in: descriptor), allowing: EEXIST) else { return nil }
        return try keeping(file) { () throws(FileSystemError) in
            do throws(FileSystemError) {
                return try call(name, fileSystem.lock(file)) ? file : nil
            } catch {
                try? remove(name)
                throw error
            }
        }
    }

    /// Makes something of an open file. Closes the file if `body` returns `nil` or throws.
    func keeping<Result>(_ file: FileDescriptor, _ body: () throws(FileSystemError) -> Result?) throws(FileSystemError) -> Result? {
        var result: Result?
        defer { if result == nil { fileSystem.close(file) } }
        result = try body()
        return result
    }

    /// Makes a hidden file and locks it; one that a killed process left goes first. `nil` while somebody works on it.
    func createHidden(_ name: String) throws(FileSystemError) -> FileDescriptor? {
        if let file = try createLocked(name) { return file }
        guard let (old, _) = try takeOver(name) else { return nil }
        defer { fileSystem.close(old) }
        try remove(name)
        return try createLocked(name)
    }

    /// Lets `body` fill a hidden, locked file and give it its name. Removes the file if `body` returns `false` or throws.
    func making<Failure: Error>(_ name: String, _ file: FileDescriptor, _ body: () throws(Failure) -> Bool) throws(Failure) -> Bool {
        var isNamed = false
        defer {
            if !isNamed { try? remove(name) }
            fileSystem.close(file)
        }
        isNamed = try body()
        return isNamed
    }

    /// Opens a file and takes its lock, if the name still leads to it then; `nil` where another writer holds it, or it is no regular file.
    func takeOver(_ name: String) throws(FileSystemError) -> (file: FileDescriptor, status: FileStatus)? {
        guard let named = try status(name), named.kind == .regular, let file = try openIfThere(name) else { return nil }
        return try keeping(file) { () throws(FileSystemError) in
            guard try call(name, fileSystem.lock(file)) else { return nil }
            let status = try status(of: file, named: name)
            guard let named = try self.status(name), named.isSameFile(as: status) else { return nil }
            return (file, status)
        }
    }

    /// Opens a file; `nil` where nothing, or a link, has the name.
    func openIfThere(_ name: String) throws(FileSystemError) -> FileDescriptor? {
        try call(name, fileSystem.open(name, in: descriptor), allowing: ENOENT, ELOOP)
    }

    /// Makes the next segment, locked before it has its name: as `.<name>.tmp`, then linked to `.open`, then the first name removed.
    ///
    /// Files are removed in the order of their numbers, so its number is above all in the folder and in those it may be moved to or from.
    /// It is also above all that its writer ever used: names of files that were sent must not come again.
    func createSegment(
        stem: String, contents: SegmentContents, writer: UInt64, after last: Int64, above main: EventFolder? = nil
    ) throws(EventFileError) -> (SegmentName, FileDescriptor) {
        do throws(FileSystemError) {
            let first = try nextNumber(of: contents, after: last, above: main)
            // A name that is taken is passed over; where all are, something is wrong with the folder.
            for number in first..<first + 64 where number <= SegmentName.maxNumber {
                let name = SegmentName(stem: stem, writer: writer, number: number, contents: contents)
                if let file = try createSegment(name) { return (name, file) }
            }
            if first <= SegmentName.maxNumber { throw FileSystemError(.create, errno: EEXIST, path: path) }
        } catch {
            throw .storage(error)
        }
        throw .numbersUsedUp(path: path)
    }

    /// Above `last`, the writer's highest, and above all numbers here, in ``SentFolder``, and in the folder it may be moved to or from.
    func nextNumber(of contents: SegmentContents, after last: Int64, above main: EventFolder?) throws(FileSystemError) -> Int64 {
        let other = main == nil ? try existingFolder(PendingFolder.name) : main
        let sent = try (main ?? self).existingFolder(SentFolder.name)
        var highest = last
        for folder in [self, other, sent].compactMap(\.self) {
            for name in try folder.names().lazy.compactMap({ SegmentName.parse($0)?.name }) where name.contents == contents {
                highest = max(highest, name.number)
            }
        }
        return highest + 1
    }

    private func createSegment(_ name: SegmentName) throws(FileSystemError) -> FileDescriptor? {
        guard let file = try createLocked(name.temporary) else { return nil }
        do throws(FileSystemError) {
            try giveFreeName(name.open, to: name.temporary)
            return file
        } catch {
            try? remove(name.temporary)
            fileSystem.close(file)
            if error.errno == EEXIST || error.errno == ENOENT { return nil }
            throw error
        }
    }

    /// Gives a hidden file its name; fails with `EEXIST` if that is taken. A link fails there, where a rename would replace the other file.
    func giveFreeName(_ newName: String, to name: String) throws(FileSystemError) {
        do throws(FileSystemError) {
            try link(name, to: newName)
        } catch {
            guard error.meansNoLinks else { throw error }
            // Without hard links, as on FAT, another file could get the name between the look and the rename.
            if try status(newName) != nil { throw FileSystemError(.rename, errno: EEXIST, path: newName) }
            return try rename(name, to: newName)
        }
        // If this fails, a hidden file stays. Once nobody locks it, it is taken over or removed.
        try? remove(name)
    }

    /// Makes a segment under its hidden name, which must be free, syncs it and publishes it. Makes nothing if `fill` returns `false`.
    func makeSegment(
        _ segment: SegmentName, level: Int32 = 6, willPublish: () throws(FileSystemError) -> Void = {},
        _ fill: (inout MemberPacker) throws(FileSystemError) -> Bool
    ) throws(FileSystemError) -> Bool {
        let name = segment.temporary
        guard let file = try createLocked(name) else { throw FileSystemError(.create, errno: EEXIST, path: name) }
        return try making(name, file) { () throws(FileSystemError) in
            var packer = MemberPacker(file: file, level: level, fileSystem: fileSystem)
            guard try fill(&packer) else { return false }
            try packer.finish()
            try synchronize(file, named: name)
            try willPublish()
            try publish(name, as: segment)
            return true
        }
    }

    /// Gives a finished, synced file its published name, which must be free: a published name never changes its content.
    func publish(_ name: String, as segment: SegmentName) throws(FileSystemError) {
        if try status(segment.sealed) != nil { throw FileSystemError(.rename, errno: EEXIST, path: segment.sealed) }
        let unpublished = try status(name)
        do throws(FileSystemError) {
            try rename(name, to: segment.sealed)
        } catch {
            // Over a network a rename may be done and fail all the same, see rename(2).
            guard let unpublished, let published = try status(segment.sealed), published.isSameFile(as: unpublished) else { throw error }
        }
    }
}
