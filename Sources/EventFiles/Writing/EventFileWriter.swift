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
/// ``record(_:)`` puts the event's line into a ring in memory and returns; a thread of the writer's own compresses and writes.
/// The files are blocked gzip of one JSON object a line: `zcat`, DuckDB and every gzip library read them, the one that is being
/// written (`*.open`) too.
///
/// **What is lost when.** After ``flush(_:)`` returns, nothing recorded before is lost by the process being killed;
/// with ``FlushDurability/durable``, nor by power loss. Without it, a kill costs what waits in memory: at most 1 s, 256 events or 60 KiB
/// while the writer keeps up. A full ring drops by ``OverflowPolicy``, and a `dropped` line in the file says how many and of which
/// sessions.
///
/// **Storage that fails.** The ring is kept, `onError` hears of it once, and writing is tried again after 1 s, 2 s … 60 s, or when
/// ``flush(_:)`` or ``rotate()`` ask. When it works again, a `storage_recovered` line says so.
///
/// **Files.** `<stem>-<writer>-<n>.ndjson.gz`, with `.open` while written. A file is finished at 8 MiB, after an hour, at ``rotate()`` and
/// at ``close(deadline:)``; old ones are removed by the limits in the options. Several processes may share a folder. What a killed
/// process left behind, the next writer in the folder adopts (``RecoveryReport``).
///
/// **Consent.** While it is pending, events go to the folder `.pending/` inside, which no reader looks into; ``setConsent(_:)`` moves them
/// to the others or erases them. ``erase()`` removes everything.
///
/// **After `fork`** the child's first call closes its copies of the parent's files and goes on with a writer of its own in the same folder;
/// what waited in memory is the parent's to write. A writer that was closed is closed in the child, too. A child that only starts another program, as `posix_spawn` does, has no copies. Tasks do not run in
/// a forked child of a program that used them: there, use ``flushAndWait(_:)`` and ``closeAndWait(deadline:)``.
///
/// **Tests** bring their own clocks and randomness, and need not wait: ``flush(_:)`` looks at the clocks anew, ``recovered()`` returns
/// when recovery is through.
public final class EventFileWriter: TrackingSink {
    /// How long ``close(deadline:)`` waits unless told otherwise.
    public static let closeDeadline: Duration = .seconds(5)

    let core: WriterCore
    let fork = ForkGuard()
    let child: ForkedWriter
    /// `nil` once somebody joins it.
    private let thread: Lock<PosixThread?>

    /// Opens a folder, makes it where it is missing, and starts the thread. The first file is made with the first line.
    ///
    /// Nothing is written before there is an event, so a disk that is full shows later, through `onError`.
    ///
    /// - Parameters:
    ///   - folder: the path. Made with mode 0700; an existing one must be a folder, no link, and not be writable by everybody.
    ///   - options: sizes, ages, policies.
    ///   - clock: the time of day: stamps the writer's own lines, and the age of files is measured by it.
    ///   - monotonicClock: measures how old a file and an unwritten event are, and the pauses after an error.
    ///   - fileSystem: what the writer writes on.
    ///   - random: the source of the writer's name and of its lines' ids.
    ///   - onError: called once for each time that storage begins to fail, from the writer's thread. It may record; what waits for the
    ///     writer throws ``EventFileError/onWritersThread`` there.
    ///   - onRecovery: called when recovery is through, if there was something to recover, from the writer's thread.
    /// - Throws: ``EventFileError/notAFolder(path:)``, ``EventFileError/folderWritableByOthers(path:permissions:)``,
    ///   ``EventFileError/badStem(_:)``, ``EventFileError/storage(_:)`` or ``EventFileError/noThread(errno:)``.
    public convenience init(
        folder: String, options: EventFileWriterOptions = EventFileWriterOptions(), clock: WallClock = .system,
        monotonicClock: MonotonicClock = .system, fileSystem: any FileSystem = PosixFileSystem(), random: SeededRandom = SeededRandom(),
        onError: (@Sendable (EventFileError) -> Void)? = nil, onRecovery: (@Sendable (RecoveryReport) -> Void)? = nil
    ) throws(EventFileError) {
        guard SegmentName.isStem(options.stem) else { throw .badStem(options.stem) }
        let held = HeldDescriptors(on: fileSystem)
        try self.init(
            in: EventFolder.open(folder, on: held), held: held, options: options, clock: clock, monotonicClock: monotonicClock,
            random: random, onError: onError, onRecovery: onRecovery)
    }

    /// Starts the thread on a folder that is open.
    private init(
        in folder: EventFolder, held: HeldDescriptors, options: EventFileWriterOptions, clock: WallClock, monotonicClock: MonotonicClock,
        random: SeededRandom, onError: (@Sendable (EventFileError) -> Void)?, onRecovery: (@Sendable (RecoveryReport) -> Void)?
    ) throws(EventFileError) {
        var random = random
        let name = UInt32(truncatingIfNeeded: random.next() >> 32)
        let core = WriterCore(options: options, wallClock: clock, clock: monotonicClock, random: random)
        self.core = core
        child = ForkedWriter(inherited: held, onError: onError) { [random] () throws(EventFileError) in
            // By the parent's descriptor: the path may lead elsewhere, as a relative one does in a child that changed its directory.
            guard held.isOpen(folder.descriptor) else { throw .closed }
            let own = HeldDescriptors(on: held.base)
            let reopened = try folder.reopened(on: own)
            held.closeAll()
            let writer = try EventFileWriter(
                in: reopened, held: own, options: options, clock: clock, monotonicClock: monotonicClock,
                random: random.inChild(at: clock.milliseconds), onError: onError, onRecovery: onRecovery)
            let consent = core.consentCell.consent
            if consent != .granted { writer.setConsent(consent) }
            return writer
        }
        do {
            let thread = try PosixThread { [random] in
                let segments = SegmentWriter(
                    folder: folder, options: options, wallClock: clock, clock: monotonicClock, writer: name,
                    head: { core.head(of: .main) })
                let spool = Spool(
                    in: folder, options: options, wallClock: clock, clock: monotonicClock, random: random, head: { core.head(of: .spool) })
                WriterThread(core: core, segments: segments, spool: spool, onError: onError, onRecovery: onRecovery).run()
            }
            self.thread = Lock(thread)
        } catch {
            folder.close()
            throw .noThread(errno: error.number)
        }
    }

    deinit {
        if fork.isInherited { return child.closeInherited() }
        // Nobody waits: the thread drains, seals and ends by itself. It holds the core, not the writer.
        guard let thread = thread.withLock({ $0.take() }) else { return }
        // If storage fails there is nobody to try again for.
        core.request(.close) { _ in }
        core.giveUp()
        thread.detach()
    }

    /// Puts an event's line into the ring. No I/O, no waiting but for ``OverflowPolicy/block(upTo:)``; never fails.
    ///
    /// About a microsecond, most of it the encoding of the line.
    public func record(_ event: TrackedEvent) {
        if fork.isInherited { return child.record(event) }
        core.record(event)
    }

    /// Puts an event's line into the ring and never waits: for callers that hold a lock.
    ///
    /// - Returns: `false` if the ring is full and the policy is ``OverflowPolicy/block(upTo:)``. Nothing has happened to the event then:
    ///   hand it to ``record(_:)`` once no lock is held, which waits for a place.
    public func offer(_ event: TrackedEvent) -> Bool {
        if fork.isInherited {
            child.record(event)
            return true
        }
        return core.offer(event)
    }

    /// The same for a line that is text already, in a writer of lines.
    package func record(line: String) {
        if fork.isInherited { return child.record(line: line) }
        core.record(line: line)
    }

    /// What the writer did so far.
    public var statistics: EventFileWriterStatistics { fork.isInherited ? child.statistics : core.statistics }

    /// Returns when everything recorded before survives the process being killed.
    public func flush() async throws { try await flush(.processKill) }

    /// Returns when everything recorded before survives the process being killed, or power loss.
    ///
    /// - Throws: ``EventFileError/storage(_:)`` if storage fails; the events are kept and tried again. ``EventFileError/closed``.
    ///   ``EventFileError/segmentLost(name:events:)`` if somebody took the file away: what waited is in another one now.
    public func flush(_ durability: FlushDurability) async throws(EventFileError) { try await ask(.flush(durability)) }

    /// Finishes the file under way and gives it its published name. Without a file there is nothing to do.
    ///
    /// - Throws: as ``flush(_:)`` does.
    public func rotate() async throws(EventFileError) { try await ask(.rotate) }

    /// Waits until everything that earlier writers left in the folder is looked after, and says what it was.
    ///
    /// - Throws: ``EventFileError/storage(_:)`` while storage fails: it is done once it works again. ``EventFileError/closed``.
    public func recovered() async throws(EventFileError) -> RecoveryReport {
        if fork.isInherited { return try await child.writer().recovered() }
        try await ask(.recovery)
        return core.recovery
    }

    /// Writes what waits, finishes the file, and ends the thread. Events that are recorded later are counted as dropped.
    ///
    /// After this neither a thread nor a descriptor is left. To close again does nothing.
    ///
    /// - Parameter deadline: how long storage may take, or keep failing, before the rest is given up. What is written by then stays in a
    ///   file that the next writer in the folder adopts.
    /// - Throws: ``EventFileError/storage(_:)`` if storage failed to the end; ``EventFileError/closeTimedOut`` if it did not even fail:
    ///   then the thread ends when it answers.
    public func close(deadline: Duration = EventFileWriter.closeDeadline) async throws(EventFileError) {
        if fork.isInherited {
            guard let own = try child.writerIfOpen() else { return }
            return try await own.close(deadline: deadline)
        }
        guard let thread = thread.withLock({ $0.take() }) else { return }
        let core = core
        let closing = Completion()
        // A task cannot sleep for just any time; a year is as good as for ever.
        let limit = min(max(deadline, .zero), .seconds(365 * 86_400))
        let timer = Task {
            try await Task.sleep(for: limit)
            core.giveUp()
            try await Task.sleep(for: Completion.grace)
            closing.end(.closeTimedOut)
        }
        let error = await withCheckedContinuation { continuation in
            closing.onEnd { continuation.resume(returning: $0) }
            core.request(.close) { closing.end($0) }
        }
        timer.cancel()
        try end(thread, error)
    }

    /// ``close(deadline:)`` for a program without tasks, such as a command line tool: blocks the calling thread.
    public func closeAndWait(deadline: Duration = EventFileWriter.closeDeadline) throws(EventFileError) {
        if fork.isInherited {
            guard let own = try child.writerIfOpen() else { return }
            return try own.closeAndWait(deadline: deadline)
        }
        if core.isOnThread { throw .onWritersThread }
        guard let thread = thread.withLock({ $0.take() }) else { return }
        let closing = Completion()
        core.request(.close) { closing.end($0) }
        if !closing.wait(deadline) {
            core.giveUp()
            if !closing.wait(Completion.grace) { closing.end(.closeTimedOut) }
        }
        try end(thread, closing.error)
    }

    /// ``flush(_:)`` for a program without tasks: blocks the calling thread.
    public func flushAndWait(_ durability: FlushDurability = .processKill) throws(EventFileError) {
        if fork.isInherited { return try child.writer().flushAndWait(durability) }
        if core.isOnThread { throw .onWritersThread }
        let flushing = Completion()
        core.request(.flush(durability)) { flushing.end($0) }
        _ = flushing.wait(nil)
        if let error = flushing.error { throw error }
    }

    func ask(_ kind: WriterState.Request.Kind) async throws(EventFileError) {
        if fork.isInherited { return try await child.writer().ask(kind) }
        let error = await withCheckedContinuation { continuation in
            core.request(kind) { continuation.resume(returning: $0) }
        }
        if let error { throw error }
    }

    private func end(_ thread: PosixThread, _ error: EventFileError?) throws(EventFileError) {
        if error == .closeTimedOut { thread.detach() } else { thread.join() }
        if let error { throw error }
    }
}
