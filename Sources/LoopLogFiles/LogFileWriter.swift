public import EventFiles
public import LoopLogging
public import TrackingEvents

/// Writes the lines of a log into a folder of compressed files that a crash cannot spoil. ``LoopLogFiles`` shows its use.
///
/// The files are written, rotated, removed and recovered as those of ``/EventFiles/EventFileWriter``. They are named
/// `<stem>-<writer>-<n>.log.gz`, with `.open` while written, and take 8 MiB or an hour each; 64 MiB or 30 days are kept. `zcat` and every
/// gzip library read them, in the order of their numbers. A line takes its caller about a microsecond; a thread compresses and writes.
/// Lines that find no room, or come after closing, are dropped and counted; their number stands among the lines in a named JSON object.
public final class LogFileWriter: Sendable {
    /// Flushes, rotates and closes the files, and counts: a line counts as an event.
    ///
    /// Record no events by it: they would stand among the lines of the log.
    public let writer: EventFileWriter

    /// Opens a folder, makes it where it is missing, and starts the thread. The first file is made with the first line.
    ///
    /// - Parameters:
    ///   - folder: the path. Event files may lie in it too: each kind keeps its own limits.
    ///   - stem: what file names begin with, whatever the options say. All else, errors too, is as with ``/EventFiles/EventFileWriter``.
    public init(
        folder: String, stem: String = "log", options: EventFileWriterOptions = EventFileWriterOptions(),
        clock: WallClock = .system, monotonicClock: MonotonicClock = .system, fileSystem: any FileSystem = PosixFileSystem(),
        random: SeededRandom = SeededRandom(), onError: (@Sendable (EventFileError) -> Void)? = nil
    ) throws(EventFileError) {
        var options = options
        (options.stem, options.contents) = (stem, .log)
        writer = try EventFileWriter(
            folder: folder, options: options, clock: clock, monotonicClock: monotonicClock, fileSystem: fileSystem, random: random,
            onError: onError)
    }
}

extension LogOutput {
    /// Rotating, compressed files.
    ///
    /// - Parameter writer: several logs, systems and threads may share it. It is not closed here.
    public static func files(_ writer: LogFileWriter) -> LogOutput { LogOutput { line, _ in writer.writer.record(line: line) } }
}
