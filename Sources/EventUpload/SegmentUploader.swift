import Basics
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
/// **No segment is given up**, however often and however long it fails. A segment that has arrived moves to `.sent/` by one rename
/// and is removed there. If the process is killed before the rename, the next one sends it again: the same bytes under the same name, which
/// the destination has already. Only an erasure and the writer's expiry remove unsent segments; expiry says so in a `dropped` line.
///
/// **One uploader for each folder**, in whichever process: it holds the lock of the file `.uploading` while it has something to send. The
/// smallest number goes first. After a failure all wait, and a segment that fails often waits longer: up to 1 s at first and 1 h at last,
/// or as long as the server asks (at most a day).
///
/// **Consent.** Segments in `.pending/` are never sent. While the writer's consent is denied, nothing is sent: segments stay until consent
/// is granted again or everything is erased. The writer's `erase()` cancels the request under way, and no event recorded before is sent
/// afterwards. A request that the server had whole by then cannot be taken back.
///
/// **Suspension.** The writer's `suspend()` cancels the request under way, and nothing is sent until `resume()`. Then it goes on by itself.
///
/// Only event files are sent, no logs, and no file that is still being written. With `sendsSummaries` the summary of a segment (`looptrail
/// index`, or the writer's `index: .atSeal`) is sent after it as `<segment>.parquet`, in a request of the same kind. A segment without a
/// summary is sent alone, and does not wait for one. A summary that the destination refuses is left out: `looptrail index` makes it there.
public final class SegmentUploader: Sendable {
    /// How often the uploader looks into the folder by itself.
    public static let defaultInterval: Duration = .seconds(60)

    private let run: UploadRun
    private let writer: EventFileWriter?
    private let observation: Int?

    /// An uploader for the folder of a writer: it looks into the folder whenever a segment is finished, and heeds the writer's consent.
    ///
    /// - Parameters:
    ///   - writer: kept for as long as the uploader lives.
    ///   - destination: where segments are sent.
    ///   - keepSent: how long a segment stays in `.sent/`, by default not at all. Each run of the program counts anew.
    ///   - interval: how often it looks for segments that other processes finished, not below 1 s.
    ///   - sendsSummaries: whether the summary of a segment is sent after it.
    ///   - shouldUpload: asked before each request and as it begins: for instance, whether the network is free of charge. After `false`, it is
    ///     asked again after the interval at the latest.
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

    /// An uploader for a folder in which no writer of this process is at work. The folder must exist when it is looked at. The last
    /// segments of a process that was killed wait until a writer has opened the folder and recovered the rest of their events.
    ///
    /// It knows of no consent: do not make one while a person has denied consent. The parameters are those of
    /// ``init(_:to:keepSent:every:sendsSummaries:shouldUpload:onUpload:)``.
    ///
    /// - Parameter folder: the path of the folder of segments.
    public convenience init(
        folder: String, to destination: any UploadDestination, keepSent: Duration = .zero,
        every interval: Duration = SegmentUploader.defaultInterval, sendsSummaries: Bool = false,
        shouldUpload: @escaping @Sendable () -> Bool = { true }, onUpload: (@Sendable (UploadOutcome) -> Void)? = nil
    ) {
        self.init(
            nil, folder: folder.absolutePath, fileSystem: PosixFileSystem(), to: destination, keepSent: keepSent, every: interval,
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
            sendsSummaries: sendsSummaries, mayLook: { [weak writer] in writer?.isSuspended != true }, mayUpload: mayUpload)
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
        let task = run.end()
        guard let observation else { return }
        // A suspension waits for the run until it has given back the lock.
        Task { [weak writer = self.writer] in
            await task?.value
            writer?.removeObservation(observation)
        }
    }

    /// Uploads until ``stop()``: now, at each finished segment, and from time to time; refused ones, too. A second call does nothing.
    public func start() { run.start() }

    /// Cancels the request under way and ends. Segments that were not sent stay. ``start()`` begins anew.
    ///
    /// - Returns: once no request is under way any more and the folder's lock is free.
    public func stop() async { await run.stop() }

    /// Sends everything recorded so far: finishes the writer's file, then tries each segment once, without pauses. Needs no ``start()``.
    ///
    /// It ends early after three failures in a row, and while the server has asked to be left alone. Refused segments are not tried.
    ///
    /// - Returns: what was sent, and what is left. A destination's errors are not thrown: the first one is in the summary. If
    ///   the writer could not finish its file (as on a full disk) and something was sent, the writer's error is there instead.
    /// - Throws: ``UploadError/folder(_:)``, ``UploadError/busy(folder:)``, or ``UploadError/stopped``.
    public func uploadNow() async throws(UploadError) -> UploadSummary {
        let sent = statistics.sent
        var unfinished: UploadError?
        if let writer {
            do throws(EventFileError) {
                try await writer.rotate()
            } catch {
                if error == .suspended { throw .folder(error) }
                // A closed writer has finished its file. After other errors segments are still sent: that makes room on a full disk.
                if error != .closed { unfinished = .folder(error) }
            }
        }
        var summary = try await run.round()
        // A started uploader may have sent the new segment before the round's turn came.
        summary.sent = statistics.sent - sent
        if let unfinished, summary.sent == 0 { throw unfinished }
        summary.error = unfinished ?? summary.error
        return summary
    }

    /// What the uploader has done since it was made.
    public var statistics: UploadStatistics { run.statistics }
}
