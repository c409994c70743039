public import EventFiles
package import TrackingEvents

/// Sends finished segments to a destination, each whole and once, and removes them when the destination has them.
///
/// ```swift
/// let destination = HTTPDestination(URL(string: "https://collect.example.org/in/")!, headers: { ["Authorization": "Bearer \(await token())"] })
/// let uploader = SegmentUploader(writer, to: destination)
/// uploader.start()
/// …
/// let summary = try await uploader.uploadNow()
/// ```
/// **Nothing is given up**, however often and however long it fails. A segment that the destination has moves to `.sent/` by one rename and
/// is removed there. A process that is killed in between sends it again: the same bytes under the same name, which the destination has
/// already. Only the writer's expiry removes what was not sent, and says so in a `dropped` line.
///
/// **One uploader a folder**, whichever process it is in: it holds the lock of the file `.uploading` while it has something to send. The
/// smallest number goes first. A segment that fails lets the others by and waits: up to 1 s at first and 1 h at last, or as long as the
/// server asks (at most a day).
///
/// **Consent.** `.pending/` never leaves. While the writer's consent is denied, nothing leaves: what waits stays until consent is granted
/// again or everything is erased. The writer's `erase()` calls back what is under way, and nothing recorded before leaves afterwards. A
/// request that the server had whole by then cannot be called back.
///
/// **Suspension.** The writer's `suspend()` calls back what is under way, and nothing leaves until `resume()`. Then it goes on by itself.
///
/// Only event files leave, no logs, and no file that is still written. With `sendsSummaries` the summary of a segment (`looptrail index`,
/// or the writer's `index: .atSeal`) leaves after it as `<segment>.parquet`, in a request of the same kind. A segment without a summary
/// goes alone: nothing waits for a summary to be made. A summary that the destination refuses is left out: `looptrail index` makes it at
/// the other end.
public final class SegmentUploader: Sendable {
    /// How often the folder is looked at without being asked.
    public static let defaultInterval: Duration = .seconds(60)

    private let run: UploadRun
    private let writer: EventFileWriter?
    private let observation: Int?

    /// An uploader for the folder of a writer: it looks whenever a segment is finished, and heeds the writer's consent.
    ///
    /// - Parameters:
    ///   - writer: kept for as long as the uploader lives.
    ///   - destination: where to.
    ///   - keepSent: how long a segment stays in `.sent/`, by default not at all. Another run of the program begins to count anew.
    ///   - interval: how often the folder is looked at without being asked, at least 1 s: other processes may finish segments in it.
    ///   - sendsSummaries: whether the summary of a segment is sent after it.
    ///   - shouldUpload: asked before each segment, such as whether the network is free of charge. `false` is asked again after the
    ///     interval.
    ///   - onUpload: called after each attempt, from the uploader's task.
    public convenience init(
        _ writer: EventFileWriter, to destination: any UploadDestination, keepSent: Duration = .zero,
        every interval: Duration = SegmentUploader.defaultInterval, sendsSummaries: Bool = false,
        shouldUpload: @escaping @Sendable () -> Bool = { true }, onUpload: (@Sendable (UploadOutcome) -> Void)? = nil
    ) {
        self.init(
            writer, folder: writer.folderPath, fileSystem: writer.fileSystem, to: destination, keepSent: keepSent, every: interval,
            sendsSummaries: sendsSummaries, shouldUpload: shouldUpload, onUpload: onUpload)
    }

    /// An uploader for a folder in which no writer of this process is at work. The folder must exist when it is looked at.
    ///
    /// It knows of no consent: do not make it while a person has denied consent. The parameters are those of
    /// ``init(_:to:keepSent:every:sendsSummaries:shouldUpload:onUpload:)``.
    ///
    /// - Parameter folder: the path of the folder of segments.
    public convenience init(
        folder: String, to destination: any UploadDestination, keepSent: Duration = .zero,
        every interval: Duration = SegmentUploader.defaultInterval, sendsSummaries: Bool = false,
        shouldUpload: @escaping @Sendable () -> Bool = { true }, onUpload: (@Sendable (UploadOutcome) -> Void)? = nil
    ) {
        self.init(
            nil, folder: folder, fileSystem: PosixFileSystem(), to: destination, keepSent: keepSent, every: interval,
            sendsSummaries: sendsSummaries, shouldUpload: shouldUpload, onUpload: onUpload)
    }

    package init(
        _ writer: EventFileWriter?, folder: String, fileSystem: any FileSystem, to destination: any UploadDestination, keepSent: Duration,
        every interval: Duration, sendsSummaries: Bool = false, clock: MonotonicClock = .system, wallClock: WallClock = .system,
        random: SeededRandom = SeededRandom(),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        shouldUpload: @escaping @Sendable () -> Bool, onUpload: (@Sendable (UploadOutcome) -> Void)?
    ) {
        self.writer = writer
        let mayUpload: @Sendable () -> Bool = { [allows = writer?.mayUpload] in (allows?() ?? true) && shouldUpload() }
        let machine = UploadMachine(
            folder: folder, fileSystem: fileSystem, keepSent: keepSent, clock: clock, wallClock: wallClock, random: random,
            sendsSummaries: sendsSummaries, mayUpload: mayUpload)
        let run = UploadRun(
            machine, to: destination, every: interval, sleep: sleep, mayUpload: mayUpload,
            isBeingErased: { (try? EventFolder.isBeingErased(folder, on: fileSystem)) ?? false }, onUpload: onUpload)
        self.run = run
        observation = writer?.observeSegments(lettingGo: { [weak run] in await run?.letGo() }) { [weak run] event in
            switch event {
            case .sealed, .granted: run?.wake()
            case .denied, .erasing: run?.callBack()
            case .resumed: run?.goOn()
            }
        }
    }

    deinit {
        if let observation { writer?.removeObservation(observation) }
        run.end()
    }

    /// Begins to upload, and goes on until ``stop()``: now, whenever a segment is finished, and from time to time. Segments that were
    /// refused are tried again. Starting again does nothing.
    public func start() { run.start() }

    /// Calls back what is under way and ends. What was not sent stays. ``start()`` begins anew.
    ///
    /// - Returns: when nothing is under way any more and the folder's lock is free.
    public func stop() async { await run.stop() }

    /// Sends everything that was recorded so far, started or not: finishes the writer's file, then tries each segment once, without pauses.
    ///
    /// It ends early after three failures in a row, and while the server has asked to be left alone. What was refused is not tried.
    ///
    /// - Returns: what was sent, and what is left. What a destination says is no error here: it stands in the summary.
    /// - Throws: ``UploadError/folder(_:)``, ``UploadError/busy(folder:)``, or ``UploadError/stopped``.
    public func uploadNow() async throws(UploadError) -> UploadSummary {
        let sent = statistics.sent
        if let writer {
            do throws(EventFileError) {
                try await writer.rotate()
            } catch {
                // A writer that is closed has finished its file.
                if error != .closed { throw .folder(error) }
            }
        }
        var summary = try await run.round()
        // A started uploader may have sent the new segment before the round's turn came.
        summary.sent = statistics.sent - sent
        return summary
    }

    /// What was done since the uploader was made.
    public var statistics: UploadStatistics { run.statistics }
}
