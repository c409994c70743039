import Basics
internal import TrackingEvents

/// Reads what is new in event files, each time it is asked: whole lines that came since, and none twice.
///
/// New files of a folder or a pattern are found. A segment is known by its name: when it is sealed, packed again, or promoted from
/// `.pending`, reading goes on where it was. A member that is still being written waits. An ordinary gzip file is read whole when it is
/// found, and not again. A file in which nothing changed is not opened.
///
/// ```swift
/// let follower = EventFileFollower(paths: ["events/"])
/// while true {
///     try follower.poll { line in print(String(decoding: line, as: UTF8.self)) }
///     sleep(1)
/// }
/// ```
/// Memory: some hundred bytes for each file that was ever found.
///
/// Not `Sendable`: one thread at a time.
public final class EventFileFollower {
    private enum Identity: Hashable {
        /// A segment, whatever its file is called at the moment. A folder and the `.pending` inside it count as one.
        case segment(SegmentName, folder: String)
        /// Any other file. An inode may be given again: the file's first bytes must be the same, too.
        case file(FileStatus.Identity)
    }

    private final class File {
        struct Position {
            var offset: Int64 = 0
            var members = 0
            var damage: [Damage] = []
            var framing = FileFraming.empty
            /// The beginning of a line whose end has not come.
            var carry: [UInt8] = []
            /// Nothing more is read: it is an ordinary gzip, or damaged.
            var isDone = false
        }

        let number: Int
        var path = ""
        var status: FileStatus
        var head: [UInt8] = []
        var position = Position()
        var lines = 0
        /// How many of the next lines were passed on before, from another file of the segment.
        var known = 0
        var isGone = false
        var isCurrent = false

        init(number: Int, status: FileStatus) { (self.number, self.status) = (number, status) }

        var isSealed: Bool { path.endsWithBytes(SegmentContents.events.suffix) }

        func restart() { (known, position) = (lines, Position()) }
    }

    private static let headBytes = 256

    /// Takes a line and the number of its file.
    package typealias Body = (Int, UnsafeRawBufferPointer) throws -> Void

    private let fileSystem: any FileSystem
    private var listing: FollowedListing
    private var files: [File] = []
    private var known: [Identity: File] = [:]
    private var passed = 0
    /// The numbers of the files that are there, in the order in which a reader takes them.
    package private(set) var listed: [Int] = []
    private let inflater = BGZFInflater()
    private let raw = ByteBuffer(capacity: 1 << 16)

    /// Nothing is read before the first ``poll(_:)``.
    ///
    /// - Parameters:
    ///   - paths: files, folders and patterns, as for ``EventFileReader``. Standard input cannot be followed.
    ///   - fileSystem: what the files are read from.
    public convenience init(paths: [String], fileSystem: any FileSystem = PosixFileSystem()) {
        self.init(paths: paths, fileSystem: fileSystem, clock: .system)
    }

    init(paths: [String], fileSystem: any FileSystem, clock: MonotonicClock) {
        self.fileSystem = fileSystem
        listing = FollowedListing(paths: paths, fileSystem: fileSystem, clock: clock)
    }

    /// What was read so far, file by file, but for files that are gone.
    public var report: ReadResult {
        var report = ReadResult()
        report.files = files.filter { !$0.isGone }.map { file in
            var read = FileReadResult(path: file.path)
            let position = file.position
            (read.bytes, read.lines, read.members, read.framing) = (position.offset, file.lines, position.members, position.framing)
            read.add(position.damage)
            return read
        }
        return report
    }

    /// Calls `body` with each whole line that is new, without its line feed, file by file. The bytes are valid only inside.
    ///
    /// - Returns: how many lines there were.
    /// - Throws: ``EventFileReadError`` if a path leads nowhere or a file cannot be read; what `body` throws.
    /// - Complexity: O(new bytes + files). A segment that was packed again is decompressed from its beginning.
    @discardableResult
    public func poll(_ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Int {
        try poll({ _, line in try body(line) }, dropped: nil)
    }

    /// Calls `body` with each line that is new and the number of its file.
    ///
    /// - Parameter dropped: called with the number of a file that is gone, or whose lines are no longer those that were passed on. What it
    ///   holds now comes under a new number. `nil` where a line must not come twice, whatever became of its file.
    package func poll(_ body: Body, dropped: ((Int) -> Void)?) throws -> Int {
        var listed = try list()
        // While a folder is listed a segment may get its next name, and be seen under neither.
        if files.contains(where: { !$0.isGone && !$0.isSealed && !listed.numbers.contains($0.number) }) { listed = try list() }
        for file in files where !file.isGone && !listed.numbers.contains(file.number) { drop(file, dropped) }
        let before = passed
        for (file, identity) in listed.files { try follow(file, identity, body, dropped) }
        self.listed = listed.files.compactMap { known[$0.1] }.filter { !$0.isGone }.map(\.number)
        return passed - before
    }

    private func list() throws(EventFileReadError) -> (files: [(InputFile, Identity)], numbers: Set<Int>) {
        var files: [(InputFile, Identity)] = []
        for file in try listing.next() {
            guard let status = file.status, status.kind == .regular else { continue }
            files.append((file, Self.identity(FilePath(file.path), status)))
        }
        return (files, Set(files.compactMap { known[$0.1]?.number }))
    }

    private static func identity(_ path: FilePath, _ status: FileStatus) -> Identity {
        guard let (name, _) = SegmentName.parse(path.name) else { return .file(status.identity) }
        let folder = FilePath(path.folder)
        return .segment(name, folder: folder.name == PendingFolder.name ? folder.folder : path.folder)
    }

    private func follow(_ listed: InputFile, _ identity: Identity, _ body: Body, _ dropped: ((Int) -> Void)?) throws {
        if let file = known[identity], file.isCurrent, file.status == listed.status {
            file.path = listed.path
            return
        }
        let opened = try reading(listed.path) { () throws(FileSystemError) in try fileSystem.open(listed) }
        // Removed since it was listed.
        guard let (descriptor, path) = opened else { return }
        defer { fileSystem.close(descriptor) }
        let status = try reading(path) { () throws(FileSystemError) in
            try fileSystem.retrying { () throws(FileSystemError) in try fileSystem.status(of: descriptor) }
        }
        let start = try bytes(of: descriptor, path: path, at: 0, count: min(Int64(Self.headBytes), status.bytes))
        let head = withExtendedLifetime(start) { Array(start.bytes) }
        func read(_ file: File) throws {
            (file.path, file.status, file.head, file.isGone, file.isCurrent) = (path, status, head, false, false)
            try self.read(descriptor, file, identity, body)
        }
        var file = known[identity] ?? File(number: files.count, status: status)
        // Only bytes that were read are compared: recovery may have cut off others.
        let readHead = file.head.prefix(Int(min(file.position.offset, Int64(Self.headBytes))))
        let isSame = file.status.isSameFile(as: status) && zip(readHead, head).allSatisfy { $0 == $1 }
        let isShorter = status.bytes < file.position.offset
        if file.isGone && dropped != nil {
            file = File(number: files.count, status: status)
        } else if case .segment = identity, !isSame || isShorter && dropped == nil {
            file.restart()
        } else if !isSame || isShorter && dropped != nil {
            drop(file, dropped)
            file = File(number: files.count, status: status)
        }
        try read(file)
        guard dropped != nil, file.known > 0, file.isSealed else { return }
        // It has fewer lines than were passed on: somebody was forgotten in it, or it was repaired.
        drop(file, dropped)
        try read(File(number: files.count, status: status))
    }

    private func drop(_ file: File, _ dropped: ((Int) -> Void)?) {
        (file.isGone, file.isCurrent) = (true, false)
        dropped?(file.number)
    }

    private func bytes(of file: FileDescriptor, path: String, at offset: Int64, count: Int64) throws(EventFileReadError) -> ByteBuffer {
        let bytes = ByteBuffer(capacity: Int(count))
        try reading(path, at: offset) { () throws(FileSystemError) in
            _ = try fileSystem.append(atMost: count, of: file, at: offset, to: bytes)
        }
        return bytes
    }

    private func read(_ descriptor: FileDescriptor, _ file: File, _ identity: Identity, _ body: Body) throws {
        known[identity] = file
        if file.number == files.count { files.append(file) }
        let size = file.status.bytes
        // A shorter file was mended after a crash: what is left was read, and the beginning of a line that was cut off is forgotten.
        if size < file.position.offset {
            let cut = file.position.framing == .plain ? Int(file.position.offset - size) : .max
            file.position.carry.removeLast(min(file.position.carry.count, cut))
            file.position.offset = size
        }
        while !file.position.isDone && file.position.offset < size {
            let (before, known, lines) = (file.position, file.known, file.lines)
            let bytes = try bytes(of: descriptor, path: file.path, at: before.offset, count: min(size - before.offset, 1 << 20))
            let used: Int
            do {
                used = try withExtendedLifetime(bytes) { try take(bytes.raw, file, body) }
            } catch {
                // The same bytes are read again next time, and their lines that were passed on are then left out.
                (file.position, file.known) = (before, known + file.lines - lines)
                throw error
            }
            if file.position.isDone || used == 0 { break }
            file.position.offset += Int64(used)
        }
        file.isCurrent = true
    }

    /// Takes what is whole; gives how many bytes that was.
    private func take(_ bytes: UnsafeRawBufferPointer, _ file: File, _ body: Body) throws -> Int {
        if file.position.framing == .empty || file.position.framing == .unknown {
            file.position.framing =
                switch BGZF.head(of: bytes) {
                case .member: .blocked
                case .otherGzip: .gzip
                case .none: .plain
                case .cut: .unknown
                }
        }
        switch file.position.framing {
        case .blocked: return try takeMembers(bytes, file, body)
        case .plain: try takeLines(bytes, file, body)
        case .gzip:
            let report = try EventFileReader(paths: [file.path], fileSystem: fileSystem).forEachLine { try pass($0, file, body) }
            file.position.damage += report.files.flatMap(\.damage)
            (file.position.offset, file.position.isDone) = (file.status.bytes, true)
        case .empty, .unknown: return 0
        }
        return bytes.count
    }

    /// Takes the members that are whole; gives how many bytes they have. What follows may still be written.
    private func takeMembers(_ bytes: UnsafeRawBufferPointer, _ file: File, _ body: Body) throws -> Int {
        var walk = BGZF.Walk()
        while walk.step(in: bytes) {
            raw.removeAll()
            let member = UnsafeRawBufferPointer(rebasing: bytes[walk.last...])
            guard inflater.appendContents(of: member, header: walk.header, to: raw) == .whole else {
                stop(file, at: walk.last, "this member is damaged: `looptrail check` says more")
                return walk.last
            }
            if raw.count > 0 { file.position.members += 1 }
            try takeLines(raw.raw, file, body)
        }
        if walk.stop == .otherGzip || walk.stop == .foreign {
            stop(file, at: walk.extent, "no member begins here: `looptrail check` says more")
        }
        return walk.extent
    }

    private func stop(_ file: File, at byte: Int = 0, _ message: String) {
        file.position.isDone = true
        let offset = file.position.offset + Int64(byte)
        file.position.damage.append(Damage(kind: .member, byteOffset: offset, bytes: 0, message: message))
    }

    private func takeLines(_ bytes: UnsafeRawBufferPointer, _ file: File, _ body: Body) throws {
        var start = 0
        while let end = JSONBytes.first(0x0A, in: bytes, from: start) {
            let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            start = end + 1
            if file.position.carry.isEmpty {
                try pass(line, file, body)
                continue
            }
            let whole = file.position.carry + line
            file.position.carry = []
            try whole.withUnsafeBytes { try pass($0, file, body) }
        }
        file.position.carry += bytes[start...]
        // Nobody writes lines so long; held for ever they would fill the memory.
        if file.position.carry.count > EventFileReader.lineLimit { stop(file, "a line is longer than 1 MiB") }
    }

    private func pass(_ line: UnsafeRawBufferPointer, _ file: File, _ body: Body) throws {
        if file.known > 0 {
            file.known -= 1
            return
        }
        file.lines += 1
        passed += 1
        try body(file.number, line)
    }
}
