import Basics
import TrackingEvents

/// The sound file while it is made: hidden beside its place and locked, so that what a kill leaves is known for what it is.
final class RepairOutput {
    private let folder: EventFolder
    private let job: RepairJob
    private let name: String
    private let temporary: String
    private let file: FileDescriptor
    /// The input of a repair in place: locked until its name leads to the sound file.
    private let input: FileDescriptor?
    private var packer: MemberPacker

    /// Makes the hidden file. In place, takes the input's lock first.
    init(_ job: RepairJob, on fileSystem: any FileSystem) throws(RepairError) {
        let path = FilePath(job.output)
        self.job = job
        name = path.name
        temporary = ".\(path.name).repair"
        do throws(FileSystemError) {
            folder = try EventFolder.holding(path, on: fileSystem)
        } catch {
            throw RepairError(error, at: path.folder)
        }
        do throws(RepairError) {
            input = job.isInPlace ? try Self.take(FilePath(job.input).name, job.input, in: folder) : nil
        } catch {
            folder.close()
            throw error
        }
        do throws(RepairError) {
            // Before the work; the last word has the publication.
            if job.output != job.input, try Self.exists(name, job, in: folder) { throw .outputExists(job.output) }
            file = try Self.make(temporary, job, in: folder)
        } catch {
            if let input { fileSystem.close(input) }
            folder.close()
            throw error
        }
        packer = MemberPacker(file: file, level: 6, fileSystem: fileSystem)
    }

    deinit {
        folder.fileSystem.close(file)
        if let input { folder.fileSystem.close(input) }
        folder.close()
    }

    private static func take(_ name: String, _ path: String, in folder: EventFolder) throws(RepairError) -> FileDescriptor {
        do throws(FileSystemError) {
            if case .taken(let file, _) = try folder.takeOver(name) { return file }
        } catch {
            throw RepairError(error, at: path)
        }
        throw .inUse(path)
    }

    private static func exists(_ name: String, _ job: RepairJob, in folder: EventFolder) throws(RepairError) -> Bool {
        do throws(FileSystemError) {
            return try folder.status(name) != nil
        } catch {
            throw RepairError(error, at: job.output)
        }
    }

    /// Makes the hidden file; one that a killed repair left goes first.
    private static func make(_ temporary: String, _ job: RepairJob, in folder: EventFolder) throws(RepairError) -> FileDescriptor {
        do throws(FileSystemError) {
            if let file = try folder.createLocked(temporary) { return file }
            if case .taken(let old, _) = try folder.takeOver(temporary) {
                defer { folder.fileSystem.close(old) }
                try folder.remove(temporary)
                if let file = try folder.createLocked(temporary) { return file }
            }
        } catch {
            throw RepairError(error, at: job.output)
        }
        throw .inUse(job.output)
    }

    /// - Parameter lines: whole lines, each with its line feed.
    func append(lines: UnsafeBufferPointer<UInt8>) throws(RepairError) {
        do throws(FileSystemError) {
            try packer.append(lines: lines)
        } catch {
            throw RepairError(error, at: job.output)
        }
    }

    /// Takes the hidden file away; the input is as it was.
    func discard() { try? folder.remove(temporary) }

    /// Finishes the file and gives it its name, synced.
    ///
    /// - Parameter keepsInput: whether a damaged file that is repaired in place stays beside, as `<name>.damaged`.
    /// - Returns: the bytes of the sound file, and the path of the damaged one where it was kept.
    func publish(keepsInput: Bool) throws(RepairError) -> (bytes: Int64, original: String?) {
        do throws(FileSystemError) {
            try packer.finish()
            try folder.call(temporary) { files throws(FileSystemError) in try files.synchronize(file) }
            var original: String?
            if job.isInPlace {
                let old = FilePath(job.input).name
                if keepsInput { original = try keep(old) }
                if old == name {
                    try rename(temporary, to: name)
                } else {
                    try giveFreeName()
                    try folder.synchronize()
                    try folder.remove(old)
                }
            } else {
                try giveFreeName()
            }
            try folder.synchronize()
            return (packer.offset, original)
        } catch {
            try? folder.remove(temporary)
            if error.errno == EEXIST { throw .outputExists(job.output) }
            throw RepairError(error, at: job.output)
        }
    }

    private func rename(_ old: String, to new: String) throws(FileSystemError) {
        try folder.call(new) { files throws(FileSystemError) in try files.rename(old, to: new, in: folder.descriptor) }
    }

    private func link(_ old: String, to new: String) throws(FileSystemError) {
        try folder.call(new) { files throws(FileSystemError) in try files.link(old, to: new, in: folder.descriptor) }
    }

    /// Gives the hidden file its name, unless somebody has it: a link fails there, a rename would replace.
    private func giveFreeName() throws(FileSystemError) {
        do throws(FileSystemError) {
            try link(temporary, to: name)
        } catch {
            guard error.meansNoLinks else { throw error }
            if try folder.status(name) != nil { throw FileSystemError(.rename, errno: EEXIST, path: name) }
            return try rename(temporary, to: name)
        }
        try folder.remove(temporary)
    }

    /// The name of the file that a name as ``keep(_:)`` gives it is of; `nil` for any other name.
    static func name(ofDamaged name: String) -> String? {
        var name = name
        if let dash = name.utf8.lastIndex(of: UInt8(ascii: "-")), Int(name[name.index(after: dash)...]) != nil {
            name = String(name[..<dash])
        }
        return name.droppingLastBytes(".damaged")
    }

    /// Gives the damaged file a second name that no reader looks at. Nothing that cannot be read is deleted.
    private func keep(_ old: String) throws(FileSystemError) -> String {
        for number in 1...1_000 {
            let second = number == 1 ? "\(old).damaged" : "\(old).damaged-\(number)"
            do throws(FileSystemError) {
                try link(old, to: second)
                return FilePath(folder: FilePath(job.input).folder, name: second).text
            } catch {
                if error.errno != EEXIST { throw error }
            }
        }
        throw FileSystemError(.link, errno: EEXIST, path: "\(old).damaged")
    }
}

extension EventFolder {
    /// The folder that a path's last name stands in, whoever may write into it and whatever links lead there.
    static func holding(_ path: FilePath, on fileSystem: any FileSystem) throws(FileSystemError) -> EventFolder {
        // The dot is the last name, so that links before it are followed.
        let descriptor = try fileSystem.retrying { () throws(FileSystemError) in try fileSystem.openFolder(atPath: path.folder + "/.") }
        return EventFolder(fileSystem: fileSystem, descriptor: descriptor, path: path.folder)
    }
}
