import Basics

/// Reads event files: blocked gzip, ordinary gzip and plain lines; files, folders, patterns and standard input.
///
/// Every CRC is checked. After damage, reading goes on at the next member that is sound, and the ``ReadResult`` tells what was lost. Memory
/// is bounded whatever the files hold: a few megabytes for each thread, and the results that wait for their turn.
///
/// ```swift
/// let reader = try EventFileReader(paths: ["events/"])
/// var lines = 0
/// let report = try reader.read(map: { $0.lineCount }, consume: { lines += $0 })
/// ```
public struct EventFileReader: Sendable {
    /// The longest line, its line feed not counted, in bytes. A longer one is passed over and reported.
    public static let lineLimit = 1 << 20

    /// What will be read, in this order.
    public internal(set) var files: [InputFile]
    /// Files that were found and will not be read, because another file has their contents.
    public let leftOut: [String]
    /// Files and folders whose names are not UTF-8: no path can be made of them.
    public let unnameable: [String]
    /// Links in folders that lead to folders which are not read: to follow them could mean to read anything.
    package let linkedFolders: [String]
    /// Whether queries validate whole lines, as a check does. If not, they validate only the head of a line in the writers' layout.
    public var validatesLines = false
    let folders: [String]
    /// Whether queries use summaries (``EventFileIndexer``) where these are valid and can answer. The results are the same.
    public var usesSummaries = true
    let standardInput: Int32
    let fileSystem: any FileSystem
    var pendingLimit = 128
    /// Whether plain lines are taken as they come: whoever writes into a pipe may be silent for hours.
    var isLive = false

    /// Finds the files. None is opened yet.
    ///
    /// - Parameters:
    ///   - paths: each a file, a folder, a pattern (`*`, `?`, `[…]`, where no file has that very name) or `-` for standard input. A folder
    ///     stands for its `*.ndjson.gz`, `*.ndjson.gz.open`, `*.ndjson`, `*.jsonl` and `*.jsonl.gz`, in the order of their paths.
    ///     Sub-folders are included, hidden names are not. A file that several paths lead to is read once. Summaries are passed over. If a
    ///     named `.open` file is gone, the sealed one is read. An empty folder is no error.
    ///   - standardInput: the descriptor that `-` stands for; it is not closed.
    ///   - fileSystem: where folders are listed and files are read.
    /// - Throws: if a path leads to nothing readable, a pattern fits nothing or a name that is not UTF-8, or a folder cannot be listed.
    public init(paths: [String], standardInput: Int32 = 0, fileSystem: any FileSystem = PosixFileSystem()) throws(EventFileReadError) {
        let listing = try InputListing(paths, on: fileSystem)
        (files, leftOut, unnameable, folders) = (listing.files, listing.leftOut, listing.unnameable, listing.folders)
        (self.fileSystem, self.standardInput, linkedFolders) = (fileSystem, standardInput, listing.linkedFolders)
    }

    init(_ files: [InputFile], on fileSystem: any FileSystem) {
        (self.files, self.fileSystem, leftOut, unnameable, linkedFolders, folders, standardInput) = (files, fileSystem, [], [], [], [], 0)
    }

    /// Throws if there is no file: a caller such as a check would find nothing wrong then.
    ///
    /// - Throws: ``EventFileReadError/noEventFiles(lookedAt:waitingLines:)``, or what keeps a folder from being listed.
    public func requireFiles() throws(EventFileReadError) {
        if !files.isEmpty { return }
        var waitingLines = 0
        for folder in folders {
            for case (_, let ring?) in try RingContents.all(inside: folder, on: fileSystem) where ring.head.contents == .events {
                waitingLines += ring.lines.count
            }
        }
        throw .noEventFiles(lookedAt: folders, waitingLines: waitingLines)
    }

    /// A reader that also reads the segments that were sent and those that are pending consent.
    func withHiddenFolders() throws(EventFileReadError) -> EventFileReader {
        let listed = Set(folders)
        var hidden: [String] = []
        for path in folders {
            try reading(path) { () throws(FileSystemError) in
                let folder = try EventFolder.holding(FilePath(folder: path, name: ""), on: fileSystem)
                for name in [SentFolder.name, PendingFolder.name] where try folder.status(name)?.kind == .folder {
                    hidden.append(FilePath(folder: path, name: name).text)
                }
            }
        }
        let single = files.filter { $0.wasNamed || !listed.contains(FilePath($0.path).folder) }.map(\.path)
        var reader = try EventFileReader(paths: single + folders + hidden, standardInput: standardInput, fileSystem: fileSystem)
        // What a pattern found may be gone when its turn comes, though the new reader is given its name.
        let named = Set(files.lazy.filter(\.wasNamed).map(\.path))
        for index in reader.files.indices where !named.contains(reader.files[index].path) { reader.files[index].wasNamed = false }
        return reader
    }

    /// How many processors the machine has online, at least 1.
    public static var activeProcessors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// Reads everything once: `map` turns each batch of lines into a result, on the thread that decompressed it. `consume` takes the
    /// results in the order of the files and their lines.
    ///
    /// - Parameters:
    ///   - threads: how many threads work, 1 to 256, the calling one among them.
    ///   - map: called for each batch of at most about a megabyte, several at a time. The batch is valid only during the call.
    ///   - consume: called on the calling thread.
    ///   - progress: called on the calling thread after each batch.
    /// - Returns: what was read and what could not be.
    /// - Throws: what `consume` throws; ``EventFileReadError`` if a file cannot be opened or read. By then all threads have ended.
    public func read<Output: Sendable>(
        threads: Int = EventFileReader.activeProcessors, map: @Sendable (borrowing LineBatch) -> Output, consume: (Output) throws -> Void,
        progress: ((ReadProgress) -> Void)? = nil
    ) throws -> ReadResult {
        var result = ReadResult()
        (result.leftOut, result.unnameable) = (leftOut, unnameable)
        var current = FileReadResult(path: "")
        var isNew = true
        var before = ReadProgress()
        try withoutActuallyEscaping(map) { map in
            try ReadRun(self, threads: min(max(threads, 1), 256), map: map).run { delivery, file in
                if isNew { current = FileReadResult(path: files[file].path) }
                isNew = delivery.chunk.isLast
                current.add(delivery.chunk)
                if let output = delivery.output { try consume(output) }
                progress?(ReadProgress(bytes: before.bytes + current.bytes, lines: before.lines + current.lines))
                guard delivery.chunk.isLast else { return }
                before.bytes += current.bytes
                before.lines += current.lines
                if delivery.chunk.isGone { result.gone.append(current.path) } else { result.files.append(current) }
            }
        }
        return result
    }

    /// Passes each line, without its line feed, to `body`, in order on the calling thread: for small inputs. The bytes are valid in `body`.
    public func forEachLine(_ body: (UnsafeRawBufferPointer) throws -> Void) throws -> ReadResult {
        try forEachRun { try LineBatch.forEachLine(of: $0, body) }
    }

    /// As ``forEachLine(_:)``, but passes many lines at a time, with their line feeds. A file's last line may lack its line feed.
    func forEachRun(_ body: (UnsafeRawBufferPointer) throws -> Void) throws -> ReadResult {
        var small = self
        (small.pendingLimit, small.isLive) = (4, true)
        return try small.read(
            threads: 1, map: { batch in batch.runs.reduce(into: [UInt8]()) { $0 += $1.bytes } },
            consume: { bytes in try bytes.withUnsafeBytes { try body($0) } })
    }
}

extension FileReadResult {
    /// Adds the lines and the damage of the next chunk. After the last chunk, judges how the file ends.
    mutating func add(_ chunk: Chunk) {
        framing = chunk.framing
        bytes = chunk.endOffset
        members += chunk.members
        lines += chunk.lines
        add(chunk.damage)
        guard chunk.isLast, !chunk.isGone else { return }
        hasEndMember = framing == .blocked && chunk.hasEndMember
        var message: String?
        if framing == .empty, isNamedGzip { message = "the file is empty: no gzip tool accepts it" }
        if framing == .blocked, !hasEndMember, lastLoss.map({ $0.byteOffset + $0.bytes < bytes }) ?? true {
            message = "the empty member that seals a file is missing: the file was cut between members, or is not finished"
        }
        if let message, !isOpen { add([Damage(kind: .missingEnd, byteOffset: bytes, bytes: 0, message: message)]) }
    }
}
