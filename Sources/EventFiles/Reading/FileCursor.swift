import Basics
import Deflate

/// Goes through one file and cuts it into chunks. Any thread may use it, but only one at a time. It finds the framing from the first bytes,
/// and again at each member's beginning: files of different kinds may have been joined. It only cuts blocked members out, so that several
/// threads can decompress one file. It decompresses ordinary gzip itself, which has to be done in order.
final class FileCursor {
    enum Mode {
        case unopened, blocked, gzip, plain
        /// Damage was found, and the next sound member has to be searched for.
        case lost(Loss)
        case done
    }

    /// Damage from an offset on, whose end is not known yet. The search for the next member begins at the byte after that offset.
    struct Loss {
        let kind: Damage.Kind
        let start: Int64
    }

    private let file: InputFile
    private let standardInput: Int32
    private let fileSystem: any FileSystem
    /// Whether it goes through an open segment for a recovery or a summary: then all that is no blocked member is damage.
    let isSegment: Bool
    let isLive: Bool
    private var opened: InputWindow?
    private(set) var nextIndex = 0
    var mode = Mode.unopened
    var framing = FileFraming.empty
    var endsWithEndMember = false
    /// How often the cursor may still look whether a file that is being written has grown.
    var growthsLeft = 3
    var member: OpenMember?
    var memberNumber = 0
    /// Whether the next ordinary member begins a line: the ones before it end with a line feed, or there are none.
    var endsLine = true
    let blockedInflater = BGZFInflater()
    lazy var gzipInflater = ZlibInflater(.gzip)
    let scratch = ByteBuffer(capacity: 1024)

    struct OpenMember {
        var start: Int64
        /// Where in this chunk's raw bytes it begins; `nil` if it began in an earlier chunk.
        var rawStart: Int?
        var beginsLine: Bool
        var isEmpty = true
    }

    init(_ file: InputFile, of reader: EventFileReader) {
        (self.file, isSegment, isLive) = (file, false, reader.isLive)
        (standardInput, fileSystem) = (reader.standardInput, reader.fileSystem)
    }

    /// Goes through the first `size` bytes of a segment, which stays open.
    init(segment: FileDescriptor, size: Int64, on fileSystem: any FileSystem) {
        (file, isSegment, isLive) = (InputFile(path: ""), true, false)
        (standardInput, self.fileSystem) = (-1, fileSystem)
        (framing, mode) = (.blocked, .blocked)
        opened = InputWindow(segment, size: size, on: fileSystem)
    }

    var isNamedOpen: Bool { file.path.endsWithBytes(".open") }

    /// The next chunk; its bytes go into the workspace. Must not be called again after the last chunk.
    func next(into workspace: Workspace) throws(FileSystemError) -> Chunk {
        workspace.reset()
        var chunk = Chunk(index: nextIndex)
        nextIndex += 1
        guard let window = try openIfNeeded() else {
            (chunk.isGone, chunk.isLast) = (true, true)
            return chunk
        }
        steps: while true {
            switch mode {
            case .unopened: try detect(window)
            case .blocked: try takeMembers(&chunk, window, workspace)
            case .gzip: try inflateStream(&chunk, window, workspace)
            case .plain: try takePlain(&chunk, window, workspace)
            case .lost(let loss):
                let found = try search(for: loss, window)
                chunk.damage.append(found.damage)
                chunk.followsDamage = true
            case .done: break steps
            }
            if workspace.compressed.count > 0 || workspace.raw.count > 0 { break }
        }
        if case .done = mode { chunk.isLast = true }
        chunk.framing = framing
        chunk.endOffset = window.offset
        chunk.hasEndMember = endsWithEndMember
        return chunk
    }

    func readError(_ error: FileSystemError) -> EventFileReadError {
        if error.call == .open, error.errno == ENOENT { return .noSuchPath(file.path) }
        return EventFileReadError(error.naming(file.path), offset: opened?.readOffset ?? 0)
    }

    /// The window; `nil` if a file that was found in a folder is gone, or if another one with the end member alone has taken its place: its
    /// lines are then in a file of a name that the listing does not have.
    private func openIfNeeded() throws(FileSystemError) -> InputWindow? {
        if let opened { return opened }
        if file.isStandardInput {
            opened = InputWindow(FileDescriptor(rawValue: standardInput), closes: false, on: fileSystem)
            return opened
        }
        if let (descriptor, _) = try fileSystem.open(file) {
            let window = InputWindow(descriptor, closes: true, on: fileSystem)
            let now = try fileSystem.retrying(fileSystem.status(of: descriptor))
            let isReplaced = file.status.map { !now.isSameFile(as: $0) && now.bytes < $0.bytes } ?? false
            if !isReplaced || now.bytes != BGZF.endMember.count { opened = window }
        }
        if opened == nil, file.wasNamed { throw FileSystemError(.open, errno: ENOENT, path: file.path) }
        return opened
    }

    private func detect(_ window: InputWindow) throws(FileSystemError) {
        try window.fill(1)
        // At least as much as the longest header: a pipe may have given less so far.
        if !isLive || window.bytes.first != 0x7B { try window.fill(2 * BGZF.memberLimit) }
        switch BGZF.head(of: window.bytes) {
        case _ where window.bytes.count == 0: mode = .done
        case .member: (framing, mode) = (.blocked, .blocked)
        case .otherGzip: (framing, mode) = (.gzip, .gzip)
        case .cut: (framing, mode) = (.gzip, .lost(Loss(kind: .cut, start: 0)))
        case .none: try detectDamaged(window)
        }
    }

    /// Called if the first bytes are no member: decides between plain lines and a damaged beginning.
    private func detectDamaged(_ window: InputWindow) throws(FileSystemError) {
        (framing, mode) = (.plain, .plain)
        let isGzip = window.bytes.starts(with: [0x1F, 0x8B])
        if !isGzip, !window.bytes.prefix(512).contains(0) { return }
        try window.fill(Workspace.rawLimit)
        let found = findMember(in: window.bytes, from: 1, isAtEnd: window.isAtEnd).member
        if found == nil, !isGzip, !FileReadResult(path: file.path).isNamedGzip { return }
        framing = found.map { $0.isBlocked ? .blocked : .gzip } ?? .unknown
        mode = .lost(Loss(kind: .foreignBytes, start: 0))
    }
}
