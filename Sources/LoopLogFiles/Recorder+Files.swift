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
        // Writers' names say nothing of their order; their heads' times do. A folder may hold the lines of weeks, so only the lines of the
        // last session's writers are kept, and of one more. Of the others only the heads are parsed.
        var last: (lines: [String], time: Int?, sessions: Set<String>) = ([], nil, [])
        var current = last
        /// The ids with which the writer's lines begin: where a system is gone, no head may say that its session goes on.
        var named: Set<String> = []
        func endWriter() {
            // A recorder that was suspended goes on as another writer.
            if !last.sessions.isDisjoint(with: current.sessions) || !last.sessions.isDisjoint(with: named) {
                last.lines += [""] + current.lines
                last.sessions.formUnion(current.sessions)
                last.time = max(last.time ?? 0, current.time ?? 0)
            } else if let time = current.time, last.time.map({ $0 < time }) ?? true {
                last = current
            }
            (current, named) = (([], nil, []), [])
        }
        do {
            _ = try LogFiles.forEachLine(of: [folder], stem: Recorder.stem, skipsLiving: true, beginWriter: endWriter) { line in
                current.lines.append(String(decoding: line, as: UTF8.self))
                let id = #"{"id":""#.utf8
                if line.starts(with: id) {
                    named.insert(String(decoding: line.dropFirst(id.count).prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self))
                }
                guard line.starts(with: #"{"recording":"#.utf8), let head = RecordedValue.parse(line) else { return }
                guard [1, 2].contains(head["recording"]?.integer) else { return }
                // A session repeats its head now and then. A head of version 1 has no id, and begins a session.
                if let id = head["id"]?.text, !current.sessions.insert(id).inserted { return }
                current.time = max(current.time ?? 0, head["t_ms"]?.integer ?? 0)
            }
        } catch EventFileReadError.noEventFiles, EventFileReadError.noSuchPath {
            return nil
        }
        endWriter()
        let recording = Recording(lines: last.lines)
        return recording.sessions().last?.ended == nil && last.time != nil ? recording : nil
    }
}
