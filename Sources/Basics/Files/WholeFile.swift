package enum WholeFile {
    /// The step that failed, in the words of an error message.
    package enum Step: String, Sendable {
        case create = "make a file beside"
        case write = "write"
        case replace = "replace"
    }

    package typealias Access = (mode: UInt16, owner: UInt32, group: UInt32)

    package struct Failure: Error, Sendable, Hashable {
        package let step: Step
        package let error: SystemError
    }

    /// Replaces what stands at `path`, even a link, with a file of `bytes`: writes it under another name first, then renames it.
    ///
    /// A failure leaves `path` as it was and nothing beside it.
    ///
    /// - Parameters:
    ///   - temporary: a name in the same folder that nobody else uses.
    ///   - mode: of the new file, less what the process's umask takes away.
    ///   - access: the mode of the new file, whatever the umask says, and the owner and group, if this process may give it to them.
    ///   - syncs: whether the bytes are synced, if the file can be, before the rename. The name itself is not synced.
    package static func replace(
        _ path: String, with bytes: [UInt8], temporary: String, mode: UInt16 = 0o666, access: Access? = nil, syncs: Bool
    ) throws(Failure) {
        try create(temporary, with: bytes, mode: mode, access: access, syncs: syncs)
        guard rename(temporary, path) == 0 else {
            let error = SystemError.current
            unlink(temporary)
            throw Failure(step: .replace, error: error)
        }
    }

    /// Makes a new file that holds `bytes`. It fails if the name is taken; a failure leaves no new file.
    package static func create(
        _ path: String, with bytes: [UInt8], mode: UInt16 = 0o666, access: Access? = nil, syncs: Bool
    ) throws(Failure) {
        let first = access == nil ? mode : 0o600
        let descriptor = uninterrupted { open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode_t(first)) }
        guard descriptor >= 0 else { throw Failure(step: .create, error: .current) }
        if let access {
            // Only root may give a file away.
            _ = fchown(descriptor, access.owner, access.group)
            fchmod(descriptor, mode_t(access.mode))
        }
        var failed: SystemError?
        do throws(SystemError) {
            try DescriptorWriting.writeAll(bytes, to: descriptor)
            // A full disk may not show before this. `EINVAL` means that the file cannot be synced.
            if syncs && uninterrupted({ fsync(descriptor) }) != 0 && errno != EINVAL { failed = .current }
        } catch {
            failed = error
        }
        if close(descriptor) != 0 && failed == nil { failed = .current }
        guard let failed else { return }
        unlink(path)
        throw Failure(step: .write, error: failed)
    }

    /// The bytes of an ordinary file; `nil` if there is none, it cannot be read, or it is larger than `limit` bytes.
    package static func bytes(of path: String, atMost limit: Int) -> [UInt8]? { try? contents(of: path, atMost: limit) }

    package enum Unread: Error, Sendable, Hashable, CustomStringConvertible {
        case failed(SystemError)
        case folder
        /// A pipe or a device.
        case noFile
        case large(limit: Int)

        /// The end of a sentence that begins with the file's name.
        package var description: String {
            switch self {
            case .failed(let error): "cannot be read: \(error)"
            case .folder: "is a folder, and a file is needed"
            case .noFile: "is a pipe or a device, and a file is needed"
            case .large(let limit): "has more than \(GroupedNumber.text(limit)) bytes"
            }
        }
    }

    package static func contents(of path: String, atMost limit: Int, followsLinks: Bool = true) throws(Unread) -> [UInt8] {
        let descriptor = uninterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)) }
        guard descriptor >= 0 else { throw .failed(.current) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .failed(.current) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: if status.st_size > limit { throw .large(limit: limit) }
        case S_IFDIR: throw .folder
        default: throw .noFile
        }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = uninterrupted { read(descriptor, &piece, piece.count) }
            if count < 0 { throw .failed(.current) }
            if bytes.count + count > limit { throw .large(limit: limit) }
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
    }
}
