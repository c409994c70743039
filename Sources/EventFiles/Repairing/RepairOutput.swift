import Basics

/// The sound file while it is made: hidden, locked, and in the folder of its final name. If a kill leaves it, the next repair removes it.
final class RepairOutput {
    private let folder: EventFolder
    private let job: RepairJob
    private let name: String
    private let temporary: String
    private var file: FileDescriptor?
    /// The input of a repair in place: locked until its name leads to the sound file.
    private var input: FileDescriptor?
    private var packer: MemberPacker?
    /// Keeps uploaders and forgettings away from the folder of the sound file.
    private var lock: UploadLock?

    /// Makes the hidden file. In place, takes the input's lock first.
    init(_ job: RepairJob, on fileSystem: any FileSystem) throws(RepairError) {
        if !job.isInPlace, job.output.isExactly(job.input) { throw .outputIsInput(job.output) }
        if job.isInPlace, !job.output.endsWithBytes(".gz") { throw .notGzipInPlace(job.input) }
        let path = FilePath(job.output)
        self.job = job
        name = path.name
        temporary = ".\(path.name).repair"
        folder = try Self.storage(path.folder) { () throws(FileSystemError) in try EventFolder.holding(path, on: fileSystem) }
        switch try Self.storage(path.folder, { () throws(FileSystemError) in try UploadLock.take(in: folder, making: false) }) {
        case .taken(let taken): lock = taken
        case .held: throw .folderInUse(path.folder)
        case .missing: break
        }
        if job.isInPlace {
            let takeover = try Self.storage(job.input) { () throws(FileSystemError) in try folder.takeOver(FilePath(job.input).name) }
            guard let takeover else { throw .inUse(job.input) }
            input = takeover.file
        }
        // Checked before the work, to fail early. The publication checks it again.
        let standing = try Self.storage(job.output) { () throws(FileSystemError) in try folder.status(name) }
        if standing != nil, !job.output.isExactly(job.input) { throw .outputExists(job.output) }
        let file = try Self.storage(job.output) { () throws(FileSystemError) in try folder.createHidden(temporary) }
        guard let file else { throw .inUse(job.output) }
        self.file = file
        if job.isInPlace { fileSystem.copyAccess(of: FilePath(job.input).name, in: folder.descriptor, to: file) }
        packer = MemberPacker(file: file, level: 6, fileSystem: fileSystem)
    }

    deinit {
        for case let file? in [file, input] { folder.fileSystem.close(file) }
        lock?.release()
    }

    static func storage<Result>(_ path: String, _ body: () throws(FileSystemError) -> Result) throws(RepairError) -> Result {
        do throws(FileSystemError) { return try body() } catch { throw RepairError(error, at: path) }
    }

    func append(lines: UnsafeBufferPointer<UInt8>) throws(RepairError) {
        try Self.storage(job.output) { () throws(FileSystemError) in try packer?.append(lines: lines) }
    }

    func discard() { try? folder.remove(temporary) }

    /// Finishes and syncs the file, and gives it its name. Returns its size in bytes, and the path of the damaged file if that is kept.
    func publish(keepsInput: Bool) throws(RepairError) -> (bytes: Int64, original: String?) {
        do throws(FileSystemError) {
            try packer?.finish()
            if let file { try folder.synchronize(file, named: temporary) }
            var original: String?
            let old = FilePath(job.input).name
            if job.isInPlace, keepsInput { original = try keep(old) }
            if job.isInPlace, old == name {
                try folder.rename(temporary, to: name)
            } else {
                try folder.giveFreeName(name, to: temporary)
            }
            if job.isInPlace, old != name {
                try folder.synchronize()
                try folder.remove(old)
            }
            try folder.synchronize()
            return (packer?.offset ?? 0, original)
        } catch {
            discard()
            if error.errno == EEXIST { throw .outputExists(job.output) }
            throw RepairError(error, at: job.output)
        }
    }

    /// The name that a file had before ``keep(_:)`` gave it this one; `nil` if this is no name that ``keep(_:)`` gives.
    static func name(ofDamaged name: String) -> String? {
        var name = name
        if let dash = name.utf8.lastIndex(of: UInt8(ascii: "-")), Int(name[name.index(after: dash)...]) != nil {
            name = String(name[..<dash])
        }
        return name.droppingLastBytes(".damaged")
    }

    /// Gives the damaged file a second name that no reader looks at, so that bytes that cannot be read now are not lost.
    private func keep(_ old: String) throws(FileSystemError) -> String {
        for number in 1...1_000 {
            let second = number == 1 ? "\(old).damaged" : "\(old).damaged-\(number)"
            let linked: Void? = try folder.call(second, folder.link(old, to: second), allowing: EEXIST)
            if linked != nil { return FilePath(folder: FilePath(job.input).folder, name: second).text }
        }
        throw FileSystemError(.link, errno: EEXIST, path: "\(old).damaged")
    }
}
