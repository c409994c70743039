public import EventFiles
public import LoopRecording
public import TrackingEvents

extension Recorder {
    /// What the names of its files begin with.
    package static var stem: String { "recording" }

    /// A recorder that writes into a folder of compressed files, `recording-<writer>-<n>.log.gz`, as ``LogFileWriter`` does.
    ///
    /// An event that the loop has taken survives the end of the process where the files have a ring (see ``/EventFiles/EventFileWriter``). Old files are
    /// removed by the limits in the options: 64 MiB or 30 days.
    ///
    /// - Parameters:
    ///   - folder: the path. Event files and logs may lie in it, too.
    ///   - app: what the head of each recording says of the program, such as its version.
    ///   - options: sizes, ages, policies; its own stem is not used.
    ///   - clock: the time of day.
    ///   - fileSystem: what the files are written on.
    ///   - random: the source of the writer's name and of the recordings' ids.
    ///   - onError: called once for each time that storage begins to fail, from the writer's thread.
    /// - Throws: as ``/EventFiles/EventFileWriter`` does.
    public convenience init(
        folder: String, app: [String: String] = [:], options: EventFileWriterOptions = EventFileWriterOptions(), clock: WallClock = .system,
        fileSystem: any FileSystem = PosixFileSystem(), random: SeededRandom = SeededRandom(),
        onError: (@Sendable (EventFileError) -> Void)? = nil
    ) throws(EventFileError) {
        var random = random
        let files = try LogFileWriter(
            folder: folder, stem: Self.stem, options: options, clock: clock, fileSystem: fileSystem,
            random: SeededRandom(seed: random.next()),
            onError: onError)
        let writer = files.writer
        var output = Output(writeAtOnce: { writer.record(line: $0) }, makeWrite: { { writer.record(line: $0) } })
        output.flush = { try await writer.flush(.processKill) }
        output.close = { try await writer.close() }
        output.setConsent = { writer.setConsent($0) }
        output.erase = { writer.erase(completion: $0) }
        self.init(output, app: app, clock: clock, random: random)
    }
}

extension Recording {
    /// Reads a file of a recording, or all of a folder, also of one that is being written or whose program crashed.
    ///
    /// - Throws: ``/EventFiles/EventFileReadError`` where there is nothing, or nothing that can be read. Damage is no error.
    public init(contentsOf path: String) throws {
        var lines: [String] = []
        _ = try LogFiles.forEachLine(of: [path], stem: Recorder.stem, beginWriter: { lines.append("") }) {
            lines.append(String(decoding: $0, as: UTF8.self))
        }
        self.init(lines: lines)
    }

    /// The session before this start of the program, if it did not end by itself: what led to a crash, as one text to attach to a report.
    ///
    /// Ask before a recorder is made on the folder.
    ///
    /// - Parameter folder: that of the recorders.
    /// - Returns: `nil` where there is none, and where the last session was closed.
    public static func previous(in folder: String) throws -> Recording? {
        var writers: [[String]] = []
        do {
            _ = try LogFiles.forEachLine(of: [folder], stem: Recorder.stem, beginWriter: { writers.append([]) }) { line in
                writers[writers.count - 1].append(String(decoding: line, as: UTF8.self))
            }
        } catch EventFileReadError.noEventFiles, EventFileReadError.noSuchPath {
            return nil
        }
        // Names of writers have no order; the times of their heads have.
        let recordings = writers.map { Recording(lines: $0) }.map { ($0, $0.sessions()) }
        let last = recordings.max { ($0.1.last?.time ?? 0) < ($1.1.last?.time ?? 0) }
        guard let (recording, sessions) = last, let session = sessions.last, session.ended == nil else { return nil }
        return recording
    }
}
