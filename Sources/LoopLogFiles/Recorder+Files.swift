public import EventFiles
public import LoopRecording
public import TrackingEvents

extension Recorder {
    package static var stem: String { "recording" }

    /// A recorder that writes into a folder of compressed files, `recording-<writer>-<n>.log.gz`, as ``LogFileWriter`` does.
    ///
    /// An event that the loop has taken survives the end of the process where the files have a ring (see ``/EventFiles/EventFileWriter``).
    /// Old files are removed by the limits in the options: 64 MiB or 30 days.
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

    /// The recording of the session before this start of the program, to attach to a report. Ask before a recorder is made on the folder.
    ///
    /// - Returns: `nil` where there is none, and where the last session was closed.
    public static func previous(in folder: String) throws -> Recording? {
        do {
            let writers = try Recording(contentsOf: folder).lines.split(separator: "").map { Recording(lines: Array($0)) }
            // The names of writers say nothing of their order; the times of their heads do.
            let last = writers.compactMap { writer in writer.sessions().last.map { (writer, $0) } }.max { $0.1.time < $1.1.time }
            return last.flatMap { $0.1.ended == nil ? $0.0 : nil }
        } catch EventFileReadError.noEventFiles, EventFileReadError.noSuchPath {
            return nil
        }
    }
}
