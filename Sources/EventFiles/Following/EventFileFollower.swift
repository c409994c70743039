import Basics
internal import TrackingEvents

/// Reads what is new in event files each time it is asked: the whole lines that have come since, none of them twice.
///
/// It finds new files of a folder or a pattern. It knows a segment by its name: when one is sealed, packed again, or promoted from
/// `.pending`, reading goes on where it was. It passes over the file that a forgetting makes from a segment. A member that is still being
/// written is read later. An ordinary gzip, or a file with damage, is read anew whenever it changed, as by an ``EventFileReader``, without
/// the lines that came already. A file that has not changed is not opened. A last line comes once its line feed is there. A plain file is
/// read on as `NAME.1` where a rotation renames it, and in a longer one with the same lines that takes its place.
///
/// ```swift
/// let follower = EventFileFollower(paths: ["events/"])
/// while true {
///     try follower.poll { line in print(String(decoding: line, as: UTF8.self)) }
///     sleep(1)
/// }
/// ```
/// Memory: about 1.5 kB for each file that was ever found.
///
/// Not `Sendable`: only one thread may use it at a time.
public final class EventFileFollower {
    private enum Identity: Hashable {
        /// A segment, sealed or open. A folder and the `.pending` inside it count as one folder.
        case segment(SegmentName, folder: String)
        /// Any other file. The system may give an inode to another file, so the first bytes must be the same, too.
        case file(FileStatus.Identity)
    }

    private final class File {
        struct Position {
            var offset: Int64 = 0
            /// The last bytes before `offset`. Where a file has others there now, it was written anew in place.
            var last: [UInt8] = []
            var members = 0
            var damage: [Damage] = []
            var framing = FileFraming.empty
            /// Whether a byte order mark may still come.
            var isAtStart = true
            /// The beginning of a line whose line feed has not come yet, and where it stands as ``Damage/byteOffset`` says.
            var carry: [UInt8] = []
            var carryOffset: Int64 = 0
            /// Whether the rest of that line is passed over, because it is too long. The last of `damage` is then this line.
            var isSkipping = false
            /// Whether an ``EventFileReader`` read all of it, because it is an ordinary gzip or damaged.
            var isWhole = false
        }

        let number: Int
        var path = ""
        var status: FileStatus
        var head: [UInt8] = []
        var position = Position()
        var lines = 0
        /// How many of the next lines are left out, because they were passed on before.
        var known = 0
        /// Whether all its lines were passed on before, from the segment that it replaces.
        var isRepeated = false
        var hasPassedEnd = false
        var isGone = false
        var isCurrent = false

        init(number: Int, status: FileStatus) { (self.number, self.status) = (number, status) }

        var isSealed: Bool { path.endsWithBytes(SegmentContents.events.suffix) }

        func restart() { (known, position) = (lines, Position()) }
    }

    private static let comparedBytes = 256

    /// Takes a line and the number of its file. For a last line whose line feed has not come yet, the number is `~number`.
    package typealias Body = (Int, UnsafeRawBufferPointer) throws -> Void

    private let fileSystem: any FileSystem
    private var listing: FollowedListing
    private var files: [File] = []
    private var known: [Identity: File] = [:]
    /// The names of the files that a forgetting would make from segments whose lines were passed on.
    private var replacements: Set<Identity> = []
    /// By path, the files that a tail no longer finds.
    private var missing: [String: File] = [:]
    private var passed = 0
    /// Whether all lines count, as a reader counts them. Then a file whose end is missing is damaged, unless its name says that it is open.
    private var isCounting = false
    /// The numbers of the files that are there, each followed by the `~number` of its last line, in the order in which a reader takes them.
    package private(set) var listed: [Int] = []
    private let inflater = BGZFInflater()
    private let raw = ByteBuffer(capacity: 1 << 16)

    /// Nothing is read before the first ``poll(_:)``.
    ///
    /// - Parameters:
    ///   - paths: files, folders and patterns, as for ``EventFileReader``. Standard input cannot be followed.
    ///   - fileSystem: where the files are read.
    public convenience init(paths: [String], fileSystem: any FileSystem = PosixFileSystem()) {
        self.init(paths: paths, fileSystem: fileSystem, clock: .system)
    }

    init(paths: [String], fileSystem: any FileSystem, clock: MonotonicClock) {
        self.fileSystem = fileSystem
        listing = FollowedListing(paths: paths, fileSystem: fileSystem, clock: clock)
    }

    /// What was read so far, file by file, without files that are gone.
    public var report: ReadResult {
        var report = ReadResult()
        report.files = files.filter { !$0.isGone }.map { file in
            var read = FileReadResult(path: file.path)
            let position = file.position
            (read.bytes, read.members, read.framing) = (position.offset, position.members, position.framing)
            read.lines = file.lines + (file.hasPassedEnd ? 1 : 0)
            read.add(position.damage)
            return read
        }
        return report
    }

    /// Calls `body` with each whole line that is new, without its line feed, file by file. The bytes are valid only inside.
    ///
    /// - Returns: how many lines there were.
    /// - Throws: ``EventFileReadError`` if a path leads to a pipe, or at first nowhere, or if a file cannot be read; what `body` throws.
    /// - Complexity: O(new bytes + files). A repacked segment is decompressed anew, an ordinary gzip or damaged file whenever it changed.
    @discardableResult
    public func poll(_ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Int {
        try poll({ _, line in try body(line) }, dropped: nil)
    }

    /// Calls `body` with each line that is new and the number of its file.
    ///
    /// - Parameter dropped: called with the number of a file that is gone, or that no longer has the lines that were passed on. The lines
    ///   that it has now come under a new number. Also called with `~number` before an unfinished last line comes again. If it is `nil`, no
    ///   line comes twice, whatever became of its file, and a last line comes only with its line feed.
    package func poll(_ body: Body, dropped: ((Int) -> Void)?) throws -> Int {
        (isCounting, missing) = (dropped != nil, [:])
        var listed = try list()
        // A segment that is renamed while its folder is listed may be seen under neither name.
        if files.contains(where: { !$0.isGone && !$0.isSealed && !listed.numbers.contains($0.number) }) { listed = try list() }
        var rotated: [(InputFile, Identity)] = []
        for file in files where !file.isGone && !listed.numbers.contains(file.number) {
            let found = dropped == nil ? try self.rotated(file) : nil
            if let found { rotated.append(found) } else { drop(file, dropped) }
        }
        listed.files = rotated + listed.files
        let before = passed
        var failure: EventFileReadError?
        for (file, identity) in listed.files {
            // One that cannot be read does not keep a tail from the others. A pass over everything fails, too.
            do { try follow(file, identity, body, dropped) } catch let error as EventFileReadError where dropped == nil { failure = error }
        }
        self.listed = listed.files.compactMap { known[$0.1] }.filter { !$0.isGone }.flatMap { [$0.number, ~$0.number] }
        if let failure { throw failure }
        return passed - before
    }

    private func list() throws(EventFileReadError) -> (files: [(InputFile, Identity)], numbers: Set<Int>) {
        var files: [(InputFile, Identity)] = []
        for file in try listing.next() {
            guard let status = file.status else {
                if file.isStandardInput { continue }
                throw .notFollowable(path: file.path)
            }
            files.append((file, Self.identity(FilePath(file.path), status)))
        }
        return (files, Set(files.compactMap { known[$0.1]?.number }))
    }

    /// A file that is `NAME.1` now, as logrotate and newsyslog have it. Its writer goes on there until it is told to open a new one.
    private func rotated(_ file: File) throws(EventFileReadError) -> (InputFile, Identity)? {
        for path in [file.path, file.path + ".1"] {
            guard let status = try fileSystem.statusToRead(path), status.isSameFile(as: file.status) else { continue }
            let identity = Self.identity(FilePath(path), status)
            return known[identity] === file ? (InputFile(path: path, status: status, wasNamed: false), identity) : nil
        }
        return nil
    }

    private static func identity(_ path: FilePath, _ status: FileStatus) -> Identity {
        guard let (name, _) = SegmentName.parse(path.name) else { return .file(status.identity) }
        let folder = FilePath(path.folder)
        return .segment(name, folder: folder.name == PendingFolder.name ? folder.folder : path.folder)
    }

    private func follow(_ listed: InputFile, _ identity: Identity, _ body: Body, _ dropped: ((Int) -> Void)?) throws {
        if let file = known[identity], file.isCurrent, file.status == listed.status {
            if file.path != listed.path {
                file.path = listed.path
                noteReplacement(of: file, identity)
            }
            return
        }
        let opened = try reading(listed.path) { () throws(FileSystemError) in try fileSystem.open(listed) }
        // Removed since it was listed.
        guard let (descriptor, path) = opened else { return }
        defer { fileSystem.close(descriptor) }
        let status = try reading(path) { () throws(FileSystemError) in try fileSystem.retrying(fileSystem.status(of: descriptor)) }
        // Another file has the path by now. The next call lists it as what it is.
        if case .file(let expected) = identity, expected != status.identity { return }
        let start = try bytes(of: descriptor, path: path, at: 0, count: min(Int64(Self.comparedBytes), status.bytes))
        let head = withExtendedLifetime(start) { Array(start.bytes) }
        func read(_ file: File) throws {
            (file.path, file.status, file.head, file.isGone, file.isCurrent) = (path, status, head, false, false)
            try self.read(descriptor, file, identity, body)
            noteReplacement(of: file, identity)
        }
        // rsync and editors write a file anew under another name, which then takes the place of the old one.
        if known[identity] == nil, let old = missing[path], old.position.framing == .plain, old.position.offset <= status.bytes {
            known[Self.identity(FilePath(path), old.status)] = nil
            (known[identity], old.status) = (old, status)
        }
        var file = known[identity] ?? File(number: files.count, status: status)
        if known[identity] == nil { file.isRepeated = dropped == nil && replacements.contains(identity) }
        // Compares only bytes that were read: a recovery may have cut off others.
        let readHead = file.head.prefix(Int(min(file.position.offset, Int64(Self.comparedBytes))))
        let isEmptied = status.bytes == 0 && file.position.offset > 0
        let isSame =
            try file.status.isSameFile(as: status) && !isEmptied && zip(readHead, head).allSatisfy { $0 == $1 }
            && endsAsRead(file, descriptor, path)
        let isShorter = status.bytes < file.position.offset
        if file.isGone && dropped != nil {
            file = File(number: files.count, status: status)
        } else if case .segment = identity, !isSame || isShorter && dropped == nil, dropped == nil || !file.position.isWhole {
            // A damaged one that comes again whole may have other lines before those that were passed on.
            file.restart()
        } else if !isSame || (isShorter || file.position.isWhole) && dropped != nil {
            drop(file, dropped)
            file = File(number: files.count, status: status)
        } else if file.position.isWhole {
            file.restart()
        }
        try read(file)
        guard let dropped else { return }
        if file.known > 0, file.isSealed || file.position.isWhole {
            // It has fewer lines than were passed on: a forgetting or a repair has removed some.
            drop(file, dropped)
            file = File(number: files.count, status: status)
            try read(file)
        }
        try passEnd(of: file, body, dropped)
    }

    /// Whether what was read of a file last still stands there, as far as the file is not shorter now.
    private func endsAsRead(_ file: File, _ descriptor: FileDescriptor, _ path: String) throws(EventFileReadError) -> Bool {
        let last = file.position.last
        let now = try bytes(of: descriptor, path: path, at: file.position.offset - Int64(last.count), count: Int64(last.count))
        return withExtendedLifetime(now) { zip(last, now.bytes).allSatisfy { $0 == $1 } }
    }

    /// Notes the name of the file that a forgetting would make from the segment.
    private func noteReplacement(of file: File, _ identity: Identity) {
        guard case .segment(let name, let folder) = identity, file.isSealed, file.lines > 0 || file.isRepeated else { return }
        replacements.insert(.segment(ForgetRewriting.replacement(of: name), folder: folder))
    }

    private func drop(_ file: File, _ dropped: ((Int) -> Void)?) {
        (file.isGone, file.isCurrent) = (true, false)
        if !isCounting { missing[file.path] = file }
        dropped?(file.number)
        dropped?(~file.number)
    }

    /// Passes on an unfinished last line, as a reader does. First drops what was passed on of it before.
    private func passEnd(of file: File, _ body: Body, _ dropped: (Int) -> Void) throws {
        if file.hasPassedEnd { dropped(~file.number) }
        file.hasPassedEnd = !file.position.carry.isEmpty && file.position.offset == file.status.bytes
        if file.hasPassedEnd { try file.position.carry.withUnsafeBytes { try body(~file.number, $0) } }
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
        // A shorter file was mended after a crash. All that is left was read before. The beginning of a line that was cut off is forgotten.
        if size < file.position.offset {
            let cut = file.position.framing == .plain ? Int(file.position.offset - size) : .max
            file.position.carry.removeLast(min(file.position.carry.count, cut))
            file.position.last.removeLast(min(file.position.last.count, Int(file.position.offset - size)))
            (file.position.offset, file.position.isSkipping) = (size, false)
        }
        while file.position.offset < size {
            let (before, known, lines) = (file.position, file.known, file.lines)
            let bytes = try bytes(of: descriptor, path: file.path, at: before.offset, count: min(size - before.offset, 1 << 20))
            let used: Int
            do {
                used = try withExtendedLifetime(bytes) { try take(bytes.raw, file, body) }
            } catch {
                // The next call reads the same bytes again, and leaves out the lines that this one passed on.
                (file.position, file.known) = (before, known + file.lines - lines)
                throw error
            }
            if used == 0 { break }
            file.position.offset += Int64(used)
            let read = bytes.bytes.prefix(used).suffix(Self.comparedBytes)
            file.position.last = Array((file.position.last + read).suffix(Self.comparedBytes))
        }
        file.isCurrent = true
    }

    /// Takes whole members, or all bytes of a plain file. Returns how many bytes it took; 0 if there is no more to take now.
    private func take(_ bytes: UnsafeRawBufferPointer, _ file: File, _ body: Body) throws -> Int {
        if file.position.framing == .empty || file.position.framing == .unknown {
            file.position.framing =
                switch BGZF.head(of: bytes) {
                case .member: .blocked
                case .otherGzip: .gzip
                case .none: FileReadResult(path: file.path).isNamedGzip ? .gzip : .plain
                case .cut: .unknown
                }
        }
        switch file.position.framing {
        case .blocked: return try takeMembers(bytes, file, body)
        case .plain: try takeLines(bytes, at: file.position.offset, isPlain: true, file, body)
        case .gzip: return try readWhole(file, body)
        case .empty, .unknown: return 0
        }
        return bytes.count
    }

    /// Takes the members that are whole; returns how many bytes they have. The bytes after them may still be being written.
    private func takeMembers(_ bytes: UnsafeRawBufferPointer, _ file: File, _ body: Body) throws -> Int {
        var walk = BGZF.Walk()
        while walk.step(in: bytes) {
            raw.removeAll()
            let member = UnsafeRawBufferPointer(rebasing: bytes[walk.last...])
            guard inflater.appendContents(of: member, header: walk.header, to: raw) == .whole else { return try readWhole(file, body) }
            if raw.count > 0 { file.position.members += 1 }
            try takeLines(raw.raw, at: file.position.offset + Int64(walk.last), isPlain: false, file, body)
        }
        let isFinal = isCounting ? !file.path.endsWithBytes(".open") : SegmentName.parse(FilePath(file.path).name)?.state == .sealed
        let isDamaged =
            switch walk.stop {
            // A sealed segment grows no more, and ends with the empty member.
            case .end: isFinal && raw.count > 0 && file.position.offset + Int64(walk.extent) == file.status.bytes
            case .cut: isFinal && walk.extent == 0
            case .otherGzip, .foreign, nil: true
            }
        return isDamaged ? try readWhole(file, body) : walk.extent
    }

    /// Reads the whole file with an ``EventFileReader``, and leaves out the lines that were passed on before.
    private func readWhole(_ file: File, _ body: Body) throws -> Int {
        file.restart()
        // The reader takes a byte order mark away.
        file.position.isAtStart = false
        let input = InputFile(path: file.path, status: file.status, wasNamed: false, sealedPath: file.path.droppingLastBytes(".open"))
        let reader = EventFileReader([input], on: fileSystem)
        for read in try reader.forEachRun({ try takeLines($0, at: 0, isPlain: false, file, body) }).files {
            (file.position.members, file.position.damage, file.position.framing) = (read.members, read.damage, read.framing)
        }
        (file.position.offset, file.position.isWhole) = (file.status.bytes, true)
        return 0
    }

    /// Takes the bytes of a member or, if `isPlain`, of the file itself, where they begin at `offset`.
    private func takeLines(_ bytes: UnsafeRawBufferPointer, at offset: Int64, isPlain: Bool, _ file: File, _ body: Body) throws {
        var start = 0
        if file.position.isAtStart, bytes.count > 0 {
            file.position.isAtStart = false
            if bytes.starts(with: LineStitcher.byteOrderMark) { start = LineStitcher.byteOrderMark.count }
        }
        while let end = JSONBytes.first(0x0A, in: bytes, from: start) {
            let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            start = end + 1
            if file.position.carry.isEmpty && !file.position.isSkipping {
                try pass(line, file, body)
                continue
            }
            carry(line, at: offset, file)
            let (whole, isSkipped) = (file.position.carry, file.position.isSkipping)
            (file.position.carry, file.position.isSkipping) = ([], false)
            if !isSkipped { try whole.withUnsafeBytes { try pass($0, file, body) } }
        }
        carry(UnsafeRawBufferPointer(rebasing: bytes[start...]), at: offset + (isPlain ? Int64(start) : 0), file)
    }

    /// Keeps the next part of a line whose line feed has not come yet. Passes over a line that is too long: it would fill the memory.
    private func carry(_ bytes: UnsafeRawBufferPointer, at offset: Int64, _ file: File) {
        if file.position.isSkipping, let line = file.position.damage.popLast() {
            file.position.damage.append(.longLine(at: line.byteOffset, bytes: line.bytes + Int64(bytes.count)))
            return
        }
        if file.position.carry.isEmpty { file.position.carryOffset = offset }
        file.position.carry += bytes
        let count = file.position.carry.count
        if count <= EventFileReader.lineLimit { return }
        file.position.damage.append(.longLine(at: file.position.carryOffset, bytes: Int64(count)))
        (file.position.carry, file.position.isSkipping) = ([], true)
    }

    private func pass(_ line: UnsafeRawBufferPointer, _ file: File, _ body: Body) throws {
        if file.isRepeated { return }
        if file.known > 0 {
            file.known -= 1
            return
        }
        file.lines += 1
        passed += 1
        try body(file.number, line)
    }
}
