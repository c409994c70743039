import Basics
public import TrackingEvents

/// Writes tracked events into a folder of compressed files that a crash cannot spoil.
///
/// ```swift
/// let writer = try EventFileWriter(folder: "events")
/// let tracker = Tracker(to: writer)
/// …
/// try await writer.close()
/// ```
/// ``record(_:)`` puts the event's line into the ring, a bounded queue, and returns. The writer's own thread compresses and writes the
/// lines. The files are blocked gzip with one JSON object a line. `zcat`, DuckDB and every gzip library read them, open or not.
///
/// **What is lost when.** An event whose ``record(_:)`` has returned survives the end of the process, flushed or not: the ring is a mapped
/// file in the folder, and the next writer there takes over what waits in it. Where files are not mapped, as on Apple systems, the ring is
/// written to its file 2 ms after an event (``EventFileWriterOptions/RingFile``), and a kill loses the events since. Until there is a ring
/// file, some milliseconds after the writer is made or resumed, a kill loses what was recorded meanwhile. If none can be made
/// (``EventFileError/ringInMemory(path:reason:)``), a kill loses what is not flushed: at most 1 s, 256 events or 60 KiB while the
/// writer keeps up. A power failure loses nothing that was recorded before a flush with ``FlushDurability/durable``. A full ring drops by
/// ``OverflowPolicy``, and a `dropped` line in the file says how many events of which sessions.
///
/// **Storage that fails.** The ring is kept, `onError` is called once, and the writer tries again after 1 s, 2 s … 60 s, or when
/// ``flush(_:)`` or ``rotate()`` is called. When storage works again, a `storage_recovered` line says so.
///
/// **Files.** `<stem>-<writer>-<n>.ndjson.gz`, with `.open` while it is written; no two files on any device ever share a name. A file is
/// finished at 8 MiB, after an hour, at ``rotate()`` and at ``close(deadline:)``. Old ones are removed by the limits in the options.
/// Several processes may share a folder. What a killed process left behind is adopted by the next writer in the folder, and by others
/// there at their next rotation (``RecoveryResult``).
///
/// **Consent.** While it is pending, events go to the folder `.pending/` inside, which readers leave out. ``setConsent(_:)`` moves their
/// files to the others or erases them. ``erase()`` removes everything.
///
/// **After `fork`** the child writes nothing with its parent's writer and touches none of its files. What it records is dropped and counted
/// there, `onError` is called once with ``EventFileError/inForkedChild``, and ``flush(_:)`` throws this error. It makes its own writer.
///
/// **Before the first unlock** of a phone the system refuses to open the folder. `init` does not throw for that: events wait in memory, up
/// to the ring's limits, `onError` is called once with ``EventFileError/locked(path:errno:)``, and opening is tried again each 5 s.
///
/// **Tests** bring their own clocks and randomness, and need not wait: ``flush(_:)`` looks at clocks anew, ``recovered()`` awaits recovery.
public final class EventFileWriter: TrackingSink {
    /// How long ``close(deadline:)`` waits by default.
    public static let defaultCloseDeadline: Duration = .seconds(5)

    private static let grace: Duration = .milliseconds(500)

    let monitor: WriterMonitor
    package let folderPath: String
    package let fileSystem: any FileSystem
    /// `nil` once somebody has taken it, to join or to detach it.
    private let thread: Lock<PosixThread?>

    /// Opens the folder, or makes it, and starts the thread, which makes the ring file. The first segment is made for the first line.
    ///
    /// A full disk or missing write access shows later, in `onError` and `flush()`. Events recorded before the ring file are copied to it.
    ///
    /// - Parameters:
    ///   - folder: the path; on iOS one in the app's container, such as `URL.applicationSupportDirectory.path + "/events"`. Made with mode
    ///     0700; an existing one must be a folder, no link, and not be writable by everybody.
    ///   - options: sizes, ages, policies.
    ///   - startsSuspended: whether it begins as if ``suspend()`` was called: for an app's extension, which the system suspends unannounced
    ///     and which works in ``awake(_:)``. The folder is checked all the same, and made if it is missing.
    ///   - clock: the time of day: stamps the writer's own lines, and decides which finished files are too old to keep. A clock that is
    ///     set ahead while the writer has its folder open makes none older.
    ///   - monotonicClock: measures the age of the file under way and of unwritten events, and the pauses after an error.
    ///   - fileSystem: what the writer writes on.
    ///   - random: the source of the writer's name and of its lines' ids.
    ///   - onError: called once for each time that storage begins to fail, and once if there is no ring file; for each segment that is
    ///     lost, the first file that cannot be removed, and a decision on consent that cannot be carried out. It is called on the writer's
    ///     thread, in a forked child on the one that records. It may record, but with ``OverflowPolicy/block(upTo:)`` through a `Tracker`
    ///     only from another thread. Calls that wait for the writer throw ``EventFileError/onWritersThread`` there.
    ///   - onDrop: called on the writer's thread with the number of dropped events by reason, once the drops are over: everything that
    ///     waited is written, or the writer closes. Drops that go on are reported once in each ``EventFileWriterOptions/longestRetry``. It
    ///     may do what `onError` may. Drops after closing are only counted.
    ///   - onRecovery: called on the writer's thread when recovery has ended, with what it found and has not told before, if anything.
    /// - Throws: ``EventFileError/notAFolder(path:)``, ``EventFileError/folderWritableByOthers(path:permissions:)``,
    ///   ``EventFileError/badStem(_:)``, ``EventFileError/storage(_:)`` or ``EventFileError/noThread(errno:)``.
    public convenience init(
        folder: String, options: EventFileWriterOptions = EventFileWriterOptions(), startsSuspended: Bool = false,
        clock: WallClock = .system, monotonicClock: MonotonicClock = .system, fileSystem: any FileSystem = PosixFileSystem(),
        random: SeededRandom = SeededRandom(), onError: (@Sendable (EventFileError) -> Void)? = nil,
        onDrop: (@Sendable ([DropReason: Int]) -> Void)? = nil, onRecovery: (@Sendable (RecoveryResult) -> Void)? = nil
    ) throws(EventFileError) {
        let context = WriterContext(
            options: options, wallClock: clock, clock: monotonicClock, onError: onError, onDrop: onDrop, onRecovery: onRecovery)
        let parts = try Parts(folder.absolutePath, context, startsSuspended, fileSystem, random)
        do {
            self.init(parts, thread: try PosixThread { parts.makeThread().run() })
        } catch {
            throw .noThread(errno: error.number)
        }
    }

    /// A writer without its thread, and how to make what the thread runs. A simulation calls the thread's steps itself.
    struct Parts: Sendable {
        let monitor: WriterMonitor
        let folder: EventFolder
        let makeThread: @Sendable () -> WriterThread

        init(
            _ path: String, _ context: WriterContext, _ startsSuspended: Bool, _ fileSystem: any FileSystem, _ random: SeededRandom
        ) throws(EventFileError) {
            guard SegmentName.isStem(context.options.stem) else { throw .badStem(context.options.stem) }
            var folder = EventFolder.unopened(path, on: fileSystem)
            do throws(EventFileError) {
                folder = try EventFolder.open(path, on: fileSystem)
            } catch {
                let reason = context.options.reason(error, path)
                guard case .locked = reason else { throw reason }
            }
            let lastErasure = startsSuspended && folder.isOpen ? try? Erasure.lastNumber(in: folder) : nil
            if startsSuspended { folder.close() }
            var random = random
            let name = random.next()
            let monitor = WriterMonitor(context, random: random)
            monitor.withState { if startsSuspended { $0.ring.suspension.set(true) } }
            (self.monitor, self.folder) = (monitor, folder)
            makeThread = { [random, folder] in
                WriterThread(monitor: monitor, folder: folder, context: context, random: random, writer: name, lastErasure: lastErasure)
            }
        }
    }

    init(_ parts: Parts, thread: PosixThread?) {
        (monitor, folderPath, fileSystem) = (parts.monitor, parts.folder.path, parts.folder.fileSystem)
        self.thread = Lock(thread)
    }

    deinit {
        // Nobody waits: the thread drains, seals and ends by itself. It holds the monitor, not the writer.
        guard let thread = takeThread() else { return }
        monitor.request(.close) { _ in }
        // If storage fails, the thread gives up: nobody is left who waits for another attempt.
        monitor.giveUp()
        thread.detach()
    }

    /// The thread, for the first caller, which joins or detaches it; `nil` for later ones, and in a forked child, which has no thread.
    private func takeThread() -> PosixThread? { monitor.fork.isInherited ? nil : thread.withLock { $0.take() } }

    /// Puts an event's line into the ring, or drops the event. Waits for room only with ``OverflowPolicy/block(upTo:)``.
    ///
    /// Takes about a microsecond, most of it to encode the line. It does no I/O, unless the caller's thread writes the ring's file: with
    /// ``EventFileWriterOptions/RingFile/writtenAtOnce``, and in logs and recordings where files are not mapped.
    public func record(_ event: StampedEvent) { monitor.record(event) }

    /// Puts an event's line into the ring and never waits: for callers that hold a lock.
    ///
    /// - Returns: `false` if the ring is full and the policy is ``OverflowPolicy/block(upTo:)``. Nothing has happened to the event then:
    ///   once you hold no lock, hand it to ``record(_:)``, which waits for room.
    public func offer(_ event: StampedEvent) -> Bool { monitor.offer(event) }

    /// Puts a log's line, which is text already, into the ring; says whether it was kept.
    @discardableResult
    package func record(line: String) -> Bool { monitor.record(line: line) }

    /// What the writer has done so far.
    public var statistics: EventFileWriterStatistics { monitor.statistics }

    /// ``flush(_:)`` with ``FlushDurability/processKill``: what was recorded before survives a kill, even if there is no ring file.
    @discardableResult
    public func flush() async throws -> FlushReceipt { try await flush(.processKill) }

    /// Returns when everything recorded before survives the process being killed and, with ``FlushDurability/durable``, a power loss. A
    /// durable flush includes what earlier writers left unfinished in the folder.
    ///
    /// - Returns: how many events the writer has recorded and lost since it was made, ``EventFileWriterStatistics/removedEvents`` included.
    ///   A flush also returns if events were dropped: look at `isComplete(since:)`.
    /// - Throws: ``EventFileError/storage(_:)`` or ``EventFileError/locked(path:errno:)`` if storage fails; the events are kept and tried
    ///   again. ``EventFileError/segmentLost(name:events:)`` if somebody removed the file: what waited is in another one now.
    ///   ``EventFileError/closed``, ``EventFileError/suspended`` or ``EventFileError/inForkedChild``.
    @discardableResult
    public func flush(_ durability: FlushDurability) async throws(EventFileError) -> FlushReceipt {
        try await ask(.flush(durability))
        return statistics.receipt
    }

    /// Finishes the file under way and gives it its published name. Does nothing without a file.
    ///
    /// - Throws: what ``flush(_:)`` throws.
    public func rotate() async throws(EventFileError) { try await ask(.rotate) }

    /// ``rotate()`` for a program without tasks: blocks the calling thread.
    ///
    /// Make it the last call in a process that is asked to end: later events stay in the ring file for the folder's next writer.
    public func rotateAndWait() throws(EventFileError) { try askAndWait(.rotate) }

    /// Waits until everything that earlier writers left in the folder is recovered, and returns what it was.
    ///
    /// - Throws: what ``flush(_:)`` throws, except for a lost file. If storage fails, recovery goes on when storage works again.
    public func recovered() async throws(EventFileError) -> RecoveryResult {
        try await ask(.recovery)
        return monitor.recovery
    }

    /// Writes what waits, finishes the file, and ends the thread. Events that are recorded later are counted as dropped.
    ///
    /// Events that are recorded while the writer closes stay in the ring file if they come too late for the event file. Afterwards no
    /// thread and no descriptor is left. A ring file is left only with such events, or with events that storage did not take. Two callers
    /// at the same time both return when the file is finished. Closing again does nothing.
    ///
    /// - Parameter deadline: how long storage may take, or keep failing, before the rest is left to the next writer in the folder. That
    ///   writer adopts the file under way and what waits in the ring file; what waits in memory alone is dropped.
    /// - Throws: ``EventFileError/storage(_:)`` or ``EventFileError/locked(path:errno:)`` if storage failed to the end;
    ///   ``EventFileError/closeTimedOut`` if storage had not even answered by then: the thread ends when it answers.
    public func close(deadline: Duration = EventFileWriter.defaultCloseDeadline) async throws(EventFileError) {
        let monitor = monitor
        let limit = max(deadline, .zero).asSleep
        let error = await withCheckedContinuation { continuation in
            let ending = Lock<CheckedContinuation<EventFileError?, Never>?>(continuation)
            let end = { @Sendable (error: EventFileError?) in ending.withLock { $0.take() }?.resume(returning: error) ?? () }
            let timer = Task {
                try await Task.sleep(for: limit)
                monitor.giveUp()
                try await Task.sleep(for: Self.grace)
                end(.closeTimedOut)
            }
            monitor.request(.close) { error in
                timer.cancel()
                end(error)
            }
        }
        try joinThread(error)
    }

    /// ``close(deadline:)`` for a program without tasks, such as a command line tool: blocks the calling thread.
    public func closeAndWait(deadline: Duration = EventFileWriter.defaultCloseDeadline) throws(EventFileError) {
        if monitor.isOnThread { throw .onWritersThread }
        let answer = WatchedValue<EventFileError??>(nil)
        monitor.request(.close) { error in answer.change { $0 = .some(error) } }
        var ended = answer.wait(atMost: deadline) { $0 }
        if ended == nil {
            monitor.giveUp()
            ended = answer.wait(atMost: Self.grace) { $0 }
        }
        try joinThread(ended ?? .closeTimedOut)
    }

    /// ``flush(_:)`` for a program without tasks: blocks the calling thread.
    @discardableResult
    public func flushAndWait(_ durability: FlushDurability = .processKill) throws(EventFileError) -> FlushReceipt {
        try askAndWait(.flush(durability))
        return statistics.receipt
    }

    func askAndWait(_ kind: WriterMailbox.Request.Kind) throws(EventFileError) {
        if monitor.isOnThread { throw .onWritersThread }
        let answer = WatchedValue<EventFileError??>(nil)
        monitor.request(kind) { error in answer.change { $0 = .some(error) } }
        if let error = answer.wait(for: { $0 }) { throw error }
    }

    func ask(_ kind: WriterMailbox.Request.Kind) async throws(EventFileError) { if let error = await failure(of: kind) { throw error } }

    func failure(of kind: WriterMailbox.Request.Kind) async -> EventFileError? {
        await withCheckedContinuation { continuation in monitor.request(kind) { continuation.resume(returning: $0) } }
    }

    /// Joins the thread, or detaches it after a timeout, if no other caller has. Throws the error that closing ended with.
    private func joinThread(_ error: EventFileError?) throws(EventFileError) {
        if let thread = takeThread() { if error == .closeTimedOut { thread.detach() } else { thread.join() } }
        if let error { throw error }
    }
}
