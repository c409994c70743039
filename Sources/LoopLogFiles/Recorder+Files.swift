public import EventFiles
public import LoopRecording
public import TrackingEvents

extension Recorder {
    package static var stem: String { "recording" }

    /// A recorder that writes into a folder of compressed files, `recording-<writer>-<n>.log.gz`, as ``LogFileWriter`` does.
    ///
    /// An event that the loop has taken survives the end of the process where the files have a ring (see ``/EventFiles/EventFileWriter``).
    /// Old files are removed by the limits in the options, by default 64 MiB and 30 days.
    ///
    /// - Parameters:
    ///   - folder: the path. Event files and logs may lie in it, too.
    ///   - app: what each head says of the program, such as its version. All else, and the errors, are as with ``LogFileWriter``.
    public convenience init(
        folder: String, app: [String: String] = [:], options: EventFileWriterOptions = EventFileWriterOptions(), clock: WallClock = .system,
        fileSystem: any FileSystem = PosixFileSystem(), random: SeededRandom = SeededRandom(),
        onError: (@Sendable (EventFileError) -> Void)? = nil
    ) throws(EventFileError) {
        var random = random
        let files = try LogFileWriter(
            folder: folder, stem: Self.stem, options: options, clock: clock, fileSystem: fileSystem,
            random: SeededRandom(seed: random.next()), onError: onError)
        let writer = files.writer
        self.init(
            app: app, clock: clock, random: random, files: writer, closeFiles: { try await writer.close() },
            writeAtOnce: { writer.record(line: $0) }, makeWrite: { { writer.record(line: $0) } })
    }
}

extension Recording {
    /// Reads a file of a recording, or all files of a folder, even while they are being written or after a crash.
    ///
    /// - Throws: ``/EventFiles/EventFileReadError`` where there is nothing, or nothing that can be read. Damage is no error.
    public init(contentsOf path: String) throws {
        var lines: [String] = []
        _ = try LogFiles.forEachLine(of: [path], stem: Recorder.stem, beginWriter: { lines.append("") }) {
            lines.append(String(decoding: $0, as: UTF8.self))
        }
        self.init(lines: lines)
    }

    /// The recording of the session before this start of the program, to attach to a report. Sessions that are still recorded, by any
    /// process, do not count. A suspended recorder's session counts as killed. Ask before you make a recorder on the folder: while a
    /// recorder recovers a killed session, that session counts as still recorded.
    ///
    /// - Returns: `nil` where there is none, and where the last session was closed.
    public static func previous(in folder: String) throws -> Recording? {
        // Writers' names say nothing of their order; their heads' times do. A folder may hold the lines of weeks: the first pass finds the
        // ids of the last session, and the second takes the lines of its writers. A recorder that was suspended goes on as another writer.
        var (sessions, indices): ([(ids: Set<String>, time: Int)], [String: Int]) = ([], [:])
        try forEachWriter(of: folder, keepsLines: false) { _, ids, time in
            var (all, latest) = (ids, time)
            for index in Set(ids.compactMap { indices[$0] }) {
                (all, latest) = (all.union(sessions[index].ids), max(latest, sessions[index].time))
                sessions[index] = ([], .min)
            }
            for id in all { indices[id] = sessions.count }
            sessions.append((all, latest))
        }
        guard let last = sessions.max(by: { $0.time < $1.time }), last.time > .min else { return nil }
        var lines: [String] = []
        try forEachWriter(of: folder, keepsLines: true) { own, ids, _ in if !ids.isDisjoint(with: last.ids) { lines += [""] + own } }
        let recording = Recording(lines: lines)
        return recording.sessions().last?.ended == nil ? recording : nil
    }

    /// Gives the lines of each writer that is not at work, the ids of its sessions, and when one last began or went on: `Int.min` if never.
    private static func forEachWriter(
        of folder: String, keepsLines: Bool, _ body: ([String], Set<String>, _ time: Int) -> Void
    ) throws {
        var writer: (lines: [String], ids: Set<String>, time: Int) = ([], [], .min)
        var headed: Set<String> = []
        func endWriter() {
            body(writer.lines, writer.ids, writer.time)
            (writer, headed) = (([], [], .min), [])
        }
        do {
            _ = try LogFiles.forEachLine(of: [folder], stem: Recorder.stem, skipsLiving: true, beginWriter: endWriter) { line in
                if keepsLines { writer.lines.append(String(decoding: line, as: UTF8.self)) }
                // Where a system is gone, no head says that its session goes on, but lines name it.
                let id = #"{"id":""#.utf8
                if line.starts(with: id) {
                    writer.ids.insert(String(decoding: line.dropFirst(id.count).prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self))
                }
                guard line.starts(with: #"{"recording":"#.utf8), let head = RecordedValue.parse(line) else { return }
                guard [1, 2].contains(head["recording"]?.integer) else { return }
                // A session repeats its head now and then. A head of version 1 has no id, and begins a session.
                let session = head["id"]?.text ?? String(decoding: line, as: UTF8.self)
                writer.ids.insert(session)
                if headed.insert(session).inserted { writer.time = max(writer.time, head["t_ms"]?.integer ?? 0) }
            }
        } catch EventFileReadError.noEventFiles, EventFileReadError.noSuchPath {
            return
        }
        endWriter()
    }
}
