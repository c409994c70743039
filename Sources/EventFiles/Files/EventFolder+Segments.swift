import Basics

/// The steps that make, take over and publish a segment. A process may be killed after any of them: recovery knows what each leaves.
extension EventFolder {
    /// Makes a file and locks it; `nil` if the name is taken, or another process took the new file for an orphan and locked it first.
    func createLocked(_ name: String) throws(FileSystemError) -> FileDescriptor? {
        guard let file = try call(name, fileSystem.create(name, in: descriptor), allowing: EEXIST) else { return nil }
        return try keeping(file) { () throws(FileSystemError) in
            do throws(FileSystemError) {
                // Who takes it for an orphan in between removes it, and may have made another file of this name.
                guard try call(name, fileSystem.lock(file)), let named = try status(name) else { return nil }
                return named.isSameFile(as: try status(of: file, named: name)) ? file : nil
            } catch {
                try? remove(name)
                throw error
            }
        }
    }

    /// Runs `body`, which uses an open file, and closes the file if `body` returns `nil` or throws.
    func keeping<Result>(_ file: FileDescriptor, _ body: () throws(FileSystemError) -> Result?) throws(FileSystemError) -> Result? {
        var result: Result?
        defer { if result == nil { fileSystem.close(file) } }
        result = try body()
        return result
    }

    /// Makes a hidden file and locks it, after it has removed one that a killed process left. `nil` while another process holds that file.
    func createHidden(_ name: String) throws(FileSystemError) -> FileDescriptor? {
        if let file = try createLocked(name) { return file }
        guard let (old, _) = try takeOver(name) else { return nil }
        defer { fileSystem.close(old) }
        try remove(name)
        return try createLocked(name)
    }

    /// Lets `body` fill a hidden, locked file and give it its name; then closes it. Removes it if `body` returns `false` or throws.
    func making<Failure: Error>(_ name: String, _ file: FileDescriptor, _ body: () throws(Failure) -> Bool) throws(Failure) -> Bool {
        var isNamed = false
        defer {
            if !isNamed { try? remove(name) }
            fileSystem.close(file)
        }
        isNamed = try body()
        return isNamed
    }

    /// Opens a file and takes its lock. `nil` if the name leads to no regular file or to another one by then, or the lock is held.
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

    /// Makes the next segment: creates and locks `.<name>.tmp`, links it to `<name>.open`, then removes the first name.
    ///
    /// Expiry removes files by rising number, so the new number is above all numbers in the folder and in those that segments move to or
    /// from. It is also above all that the writer has used (`last`): the name of a file that was sent must not come again.
    func createSegment(
        stem: String, contents: SegmentContents, writer: UInt64, after last: Int64, above main: EventFolder? = nil
    ) throws(EventFileError) -> (SegmentName, FileDescriptor) {
        do throws(FileSystemError) {
            let first = try nextNumber(of: contents, after: last, above: main)
            // A name that is taken is passed over. If 64 in a row are taken, something is wrong with the folder.
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

    /// One above `last` and above all numbers here, in ``SentFolder``, and in the pending folder or, if this is that one, in `main`.
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
            // Without hard links, as on FAT, another file could get the name between this check and the rename.
            if try status(newName) != nil { throw FileSystemError(.rename, errno: EEXIST, path: newName) }
            return try rename(name, to: newName)
        }
        // If this fails, a hidden file stays. Once nobody holds its lock, a recovery takes it over or removes it.
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
            // On a network file system a rename may report an error and yet be done, see rename(2).
            guard let unpublished, let published = try status(segment.sealed), published.isSameFile(as: unpublished) else { throw error }
        }
    }
}
