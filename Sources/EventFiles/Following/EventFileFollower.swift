import Basics
internal import TrackingEvents

/// Reads what is new in event files, each time it is asked: whole lines that came since, and no byte twice.
///
/// New files of a folder or a pattern are found, a segment that is sealed meanwhile keeps its place, and a member that is still being
/// written waits. An ordinary gzip file is read whole when it is found, and not again.
///
/// ```swift
/// let follower = EventFileFollower(paths: ["events/"])
/// while true {
///     try follower.poll { line in print(String(decoding: line, as: UTF8.self)) }
///     sleep(1)
/// }
/// ```
/// Not `Sendable`: one thread at a time.
public final class EventFileFollower {
    /// What is known of one file.
    private struct Place {
        var path: String
        /// How far it was read, in bytes as they lie.
        var offset: Int64 = 0
        var lines = 0
        var members = 0
        var damage: [Damage] = []
        var framing = FileFraming.empty
        /// The beginning of a line whose end has not come.
        var carry: [UInt8] = []
        /// Nothing more is read of it: it is an ordinary gzip, or damaged.
        var isDone = false
    }

    private struct Identity: Hashable {
        var device: UInt64
        var inode: UInt64
    }

    private let paths: [String]
    private let fileSystem: any FileSystem
    private var places: [Identity: Place] = [:]
    private var order: [Identity] = []
    private let inflater = BGZFInflater()
    private let raw = ByteBuffer(capacity: 1 << 16)

    /// Nothing is read before the first ``poll(_:)``.
    ///
    /// - Parameters:
    ///   - paths: files, folders and patterns, as for ``EventFileReader``. Standard input cannot be followed.
    ///   - fileSystem: what the files are read from.
    public init(paths: [String], fileSystem: any FileSystem = PosixFileSystem()) {
        self.paths = paths
        self.fileSystem = fileSystem
    }

    /// What was read so far, file by file.
    public var report: ReadResult {
        var report = ReadResult()
        report.files = order.compactMap { places[$0] }.map { place in
            var file = FileReadResult(path: place.path)
            (file.bytes, file.lines, file.members, file.framing) = (place.offset, place.lines, place.members, place.framing)
            file.add(place.damage)
            return file
        }
        return report
    }

    /// Calls `body` with each whole line that is new, without its line feed, file by file. The bytes are valid only inside.
    ///
    /// - Returns: how many lines there were.
    /// - Throws: ``EventFileReadError`` if a path leads nowhere or a file cannot be read; what `body` throws.
    /// - Complexity: O(new bytes + files)
    @discardableResult
    public func poll(_ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Int {
        let listing = try InputListing(paths, on: fileSystem)
        let before = lines
        for file in listing.files where !file.isStandardInput {
            let descriptor: FileDescriptor
            let status: FileStatus
            do throws(FileSystemError) {
                descriptor = try fileSystem.openToRead(atPath: file.path)
                status = try fileSystem.status(of: descriptor)
            } catch {
                // It was sealed or removed between listing and reading: the next poll finds it under its new name.
                if error.call == .open && error.errno == ENOENT { continue }
                throw EventFileReadError(error)
            }
            defer { fileSystem.close(descriptor) }
            let identity = Identity(device: status.device, inode: status.inode)
            if places[identity] == nil { order.append(identity) }
            var place = places[identity] ?? Place(path: file.path)
            place.path = file.path
            defer { places[identity] = place }
            try read(descriptor, status.bytes, &place, body)
        }
        return lines - before
    }

    private var lines: Int { places.values.reduce(0) { $0 + $1.lines } }

    private func read(
        _ descriptor: FileDescriptor, _ size: Int64, _ place: inout Place, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        // A file that became shorter was mended after a crash: what is left of it was read, and the beginning of a line that was cut off is forgotten.
        if size < place.offset {
            place.carry.removeLast(min(place.carry.count, place.framing == .plain ? Int(place.offset - size) : .max))
            place.offset = size
        }
        while !place.isDone && place.offset < size {
            let bytes = try self.bytes(of: descriptor, from: place, upTo: size)
            let used = try bytes.withUnsafeBytes { bytes in
                if place.framing == .empty || place.framing == .unknown { place.framing = Self.framing(of: bytes) }
                switch place.framing {
                case .blocked: return try takeMembers(bytes, &place, body)
                case .plain:
                    try takeLines(bytes, &place, body)
                    return bytes.count
                case .gzip:
                    try takeWholeGzip(&place, size: size, body)
                    return bytes.count
                case .empty, .unknown: return 0
                }
            }
            if place.isDone || used == 0 { return }
            place.offset += Int64(used)
        }
    }

    /// Whole members and more, as many as are there.
    private func bytes(of descriptor: FileDescriptor, from place: Place, upTo size: Int64) throws(EventFileReadError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(min(size - place.offset, 1 << 20)))
        let result = bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(FileSystemError) in try fileSystem.read(into: buffer, from: descriptor, at: place.offset) }
        }
        do throws(FileSystemError) {
            bytes.removeSubrange(try result.get()...)
            return bytes
        } catch {
            throw EventFileReadError(error.naming(place.path), offset: place.offset)
        }
    }

    private static func framing(of bytes: UnsafeRawBufferPointer) -> FileFraming {
        switch BGZF.head(of: bytes) {
        case .member: .blocked
        case .otherGzip: .gzip
        case .none: .plain
        case .cut: .unknown
        }
    }

    /// Takes the members that are whole; gives how many bytes they have. What follows may still be written.
    private func takeMembers(
        _ bytes: UnsafeRawBufferPointer, _ place: inout Place, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> Int {
        var used = 0
        while used < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[used...])
            guard case .member(let header) = BGZF.head(of: rest) else {
                if case .cut = BGZF.head(of: rest) { return used }
                stop(&place, at: place.offset + Int64(used), "no member begins here: `looptrail check` says more")
                return used
            }
            if header.memberBytes > rest.count { return used }
            raw.removeAll()
            guard inflater.appendContents(of: rest, header: header, to: raw) == .whole else {
                stop(&place, at: place.offset + Int64(used), "this member is damaged: `looptrail check` says more")
                return used
            }
            if raw.count > 0 { place.members += 1 }
            used += header.memberBytes
            // The body may ask for the report, which must say what it has been given.
            try takeLines(raw.raw, &place, body)
        }
        return used
    }

    private func stop(_ place: inout Place, at offset: Int64, _ message: String) {
        place.isDone = true
        place.damage.append(Damage(kind: .member, byteOffset: offset, bytes: 0, message: message))
    }

    private func takeLines(
        _ bytes: UnsafeRawBufferPointer, _ place: inout Place, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var start = 0
        while let end = JSONBytes.first(0x0A, in: bytes, from: start) {
            let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            start = end + 1
            place.lines += 1
            if place.carry.isEmpty {
                try body(line)
            } else {
                let whole = place.carry + line
                place.carry = []
                try whole.withUnsafeBytes(body)
            }
        }
        place.carry += bytes[start...]
        // Nobody writes lines so long; held for ever they would fill the memory.
        if place.carry.count > EventFileReader.lineLimit { stop(&place, at: place.offset, "a line is longer than 1 MiB") }
    }

    private func takeWholeGzip(_ place: inout Place, size: Int64, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let report = try EventFileReader(paths: [place.path], fileSystem: fileSystem).forEachLine(body)
        place.lines += report.lines
        place.damage += report.files.flatMap(\.damage)
        place.offset = size
        place.isDone = true
    }
}
