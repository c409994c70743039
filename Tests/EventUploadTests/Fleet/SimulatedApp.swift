import Basics
import EventUpload
import LoopTracking
import TrackingEvents

@testable import EventFiles

/// A process on a device: an app that tracks and uploads, or an uploader alone.
///
/// Tracker, writer, ring, expiry and uploader are the real ones, without their threads and tasks: the simulation calls each turn.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class SimulatedApp: @unchecked Sendable {
    /// Rises with each process of a device.
    let number: Int
    let process: SimulatedProcess
    /// The processes that had ended when this one began.
    let predecessors: Set<Int>
    /// `nil` in an uploader alone.
    private(set) var writer: EventFileWriter?
    private(set) var tracker: Tracker?
    private var thread: WriterThread?
    private var machine: UploadMachine
    private unowned let device: SimulatedDevice
    private var hasBegun: Bool
    /// The request under way, and the bytes that the transport has opened.
    private(set) var underWay: (segment: SealedSegment, bytes: [UInt8])?
    /// When to look for something to upload, in nanoseconds of the simulated clock.
    private var uploadsAt: Int64 = 0
    private var isInRound = false
    /// Events recorded since the writer last had nothing waiting to be written, with their lanes.
    private(set) var unwritten: [(event: SimulatedDevice.Event, lane: Lane, isInFile: Bool)] = []
    /// Which waiting lines of a lane had a copy in the ring's file when the process was last looked at.
    private enum Copies {
        /// They are in memory alone.
        case none
        /// Those up to the ring's last write are in its file.
        case some
        /// All are in the ring's file.
        case all
    }
    private var (mainCopies, pendingCopies) = (Copies.none, Copies.none)
    /// The ring's file of each lane when the process was last looked at.
    private var ringFiles: [Lane: (name: String, inode: UInt64)] = [:]
    /// Whether consent was denied and what had waited for it was not erased yet.
    private(set) var isErasingPending = false
    /// Whether another process is erasing the folder. Until that ends, the erasure may also remove what this process records.
    var isErasedByOthers = false

    /// - Throws: if the disk is full or has failed, or the process was killed meanwhile.
    init(
        _ number: Int, of device: SimulatedDevice, writes: Bool, predecessors: Set<Int>, killAt: Int?, startsSuspended: Bool = false
    ) throws {
        (self.number, self.device, self.predecessors) = (number, device, predecessors)
        let process = SimulatedProcess(on: device.disk)
        process.killAt = killAt
        self.process = process
        let seed = device.newSeed()
        let monotonic = MonotonicClock(
            nanoseconds: { [clock = device.clock] in clock.nanoseconds }, wait: { [unowned device] _ in device.letOthersWork(but: number) })
        let wall = device.clock.wall(of: device.number)
        hasBegun = !writes || device.chance(50)
        isSuspended = startsSuspended && writes
        var mayUpload: @Sendable () -> Bool = { true }
        if writes {
            let (writer, thread) = try EventFileWriter.withoutThread(
                folder: SimulatedDevice.folder, options: device.options, startsSuspended: startsSuspended, clock: wall,
                monotonicClock: monotonic, fileSystem: process,
                random: SeededRandom(seed: seed))
            (self.writer, self.thread, mayUpload) = (writer, thread, writer.mayUpload)
        }
        machine = UploadMachine(
            folder: SimulatedDevice.folder, fileSystem: process, keepSent: device.keepSent, clock: monotonic, wallClock: wall,
            random: SeededRandom(seed: device.newSeed()), mayLook: { [weak writer] in writer?.isSuspended != true }, mayUpload: mayUpload)
        guard let writer else { return }
        if hasBegun { thread?.begin() }
        process.willDie = { [unowned self] call in
            // During a ring's write the ring already says that its lines are written, and the monitor's lock may be held: do not look then.
            if call != .write || device.options.ring == .automatic { return noteCopies() }
            func isGone(_ lane: Lane) -> Bool { ringFiles[lane].map { !device.hasName($0.name, $0.inode) } ?? false }
            if isGone(.main) { mainCopies = .none }
            if isGone(.pending) { pendingCopies = .none }
        }
        tracker = Tracker(
            to: Probe(writer, self), user: "u\(device.number)", consent: device.consent, clock: wall,
            random: SeededRandom(seed: device.newSeed()))
        _ = writer.observeSegments { [unowned self] event in
            switch event {
            case .sealed, .granted: uploadsAt = 0
            case .denied, .erasing: callBack()
            case .resumed: uploadsAt = 0
            }
        }
    }

    var isAlive: Bool { !process.isKilled }

    // MARK: What a kill costs

    /// Notes which lanes have a ring file with all that waits.
    func noteCopies() {
        guard let writer else { return }
        writer.monitor.withState { state in
            let (main, pending) = (state.ring[.main], state.ring[.pending])
            (mainCopies, pendingCopies) = (copies(of: main.ring), copies(of: pending.ring))
            ringFiles = [.main: main.ring, .pending: pending.ring].compactMapValues { $0.file.map { ($0.name, $0.inode) } }
            for index in unwritten.indices {
                let copies = unwritten[index].lane == .main ? mainCopies : pendingCopies
                if copies != .some { unwritten[index].isInFile = copies == .all }
            }
            isErasingPending = state.mailbox.decision == .erase
            if main.tally.isEmpty, pending.tally.isEmpty, state.ring.waitingLines == 0 { unwritten = [] }
        }
    }

    private func copies(of ring: Ring) -> Copies {
        guard let file = ring.file, device.hasName(file.name, file.inode) else { return .none }
        guard let written = ring.written else { return .all }
        return written.error == nil && !written.isStale ? .all : .some
    }

    /// Events that waited in memory alone when the process died.
    ///
    /// ``EventFileWriter`` promises nothing for these: until a ring file is made, and where none can be made, only what is flushed
    /// survives. A ring whose file another process has erased is in memory, too.
    var lostWithMemory: [SimulatedDevice.Event] {
        unwritten.filter { waiting in
            switch waiting.lane == .main ? mainCopies : pendingCopies {
            case .none: true
            case .some: !waiting.isInFile
            case .all: false
            }
        }.map(\.event)
    }

    // MARK: The writer

    /// Runs at most `count` turns of the writer's thread.
    func turn(atMost count: Int) {
        for _ in 0..<count {
            guard let thread, isAlive else { return }
            noteCopies()
            if !hasBegun {
                hasBegun = true
                thread.begin()
                continue
            }
            guard thread.turnIfDue() else { break }
        }
        if isAlive { noteCopies() }
    }

    /// Whether an erasure was asked for and has not succeeded. The writer tries it again, even if another process has finished it.
    var isErasing: Bool {
        guard isAlive, let erasure else { return false }
        if case .some(.none) = erasure.error { return false }
        return true
    }
    private var erasure: Answer?

    /// - Returns: the error that the writer answers with; `nil` if it does not answer.
    func ask(_ kind: WriterMailbox.Request.Kind) -> EventFileError?? {
        guard let writer else { return nil }
        let answer = Answer()
        if kind == .erase { erasure = answer }
        writer.monitor.request(kind) { answer.error = .some($0) }
        // A writer whose storage fails may have to wait before it gives up.
        var turns = 0
        while turns < 200, answer.error == nil, isAlive {
            turn(atMost: 1)
            turns += 1
        }
        return isAlive ? answer.error : nil
    }

    /// `@unchecked Sendable`: a simulation has one thread.
    private final class Answer: @unchecked Sendable {
        var error: EventFileError??
    }

    fileprivate func record(_ event: StampedEvent) {
        guard let writer else { return }
        let wasAlive = isAlive
        writer.record(event)
        guard wasAlive, let session = event.session, let sequence = event.sequence else { return }
        let known = SimulatedDevice.Event(session: session, sequence: sequence, id: event.id.description)
        device.recorded(known, of: event.user ?? "", by: self, hasReturned: isAlive)
        let lane: Lane = device.consent == .pending ? .pending : .main
        unwritten.append((known, lane, false))
        if isAlive { noteCopies() }
    }

    fileprivate func decide(_ consent: TrackingConsent) {
        writer?.setConsent(consent)
        // The events that waited in memory are in the main lane now.
        if consent == .granted, isAlive, writer?.monitor.withState({ $0.ring.pending.count }) == 0 {
            for index in unwritten.indices { unwritten[index].lane = .main }
        }
        device.decided(consent, in: self)
    }

    // MARK: Suspension

    /// Whether it was suspended, and not resumed or killed since.
    private(set) var isSuspended: Bool
    /// Whether it has yet to check for an erasure during its suspension, which would also remove what it records before the check.
    var mayFindErasure: Bool { thread?.lastErasure != nil }

    /// What ``EventFileWriter/suspend()`` does, turn by turn.
    func suspend() {
        writer?.monitor.changeSuspension { $0.set(true) }
        closeUploader()
        if !device.faults.contains(.suspensionsLetNothingGo) { _ = ask(.suspend) }
        isSuspended = isAlive
    }

    func resume() {
        isSuspended = false
        writer?.resume()
    }

    // MARK: The uploader

    func restartUploads() {
        machine.restart()
        uploadsAt = 0
    }

    /// Begins a round, which tries every segment once without pauses.
    func beginRound() {
        machine.beginRound()
        (isInRound, uploadsAt) = (true, 0)
    }

    var hasNothingToSend: Bool { machine.statistics.waiting == 0 }

    /// One step of the uploader.
    ///
    /// - Returns: whether there was something to do.
    @discardableResult
    func upload() -> Bool {
        // An uploader without a writer is stopped while it is suspended.
        guard isAlive, writer != nil || !isSuspended else { return false }
        if let (segment, bytes) = underWay {
            underWay = nil
            var result = Result { try device.network.send(segment.name, bytes, from: device.number) }
            device.disk.log?("  process \(number) sent \(segment.name): \(result)")
            if device.faults.contains(.lostAnswersCount), case .failure = result { result = .success(.stored) }
            _ = machine.ended(result, isCalledBack: false)
            return true
        }
        guard device.clock.nanoseconds >= uploadsAt else { return false }
        do throws(UploadError) {
            switch try machine.next() {
            case .send(let segment):
                guard let bytes = device.disk.contents(segment.path) else { throw .changed(path: segment.path) }
                underWay = (segment, bytes)
                device.leaves(segment, bytes, from: self)
            case .failed: break
            case .wait(let pause): rest(pause ?? .max)
            case .busy:
                device.isBusy(for: self)
                rest(.max)
            }
        } catch {
            rest(.max)
        }
        return true
    }

    private func rest(_ pause: Int64) {
        if isInRound { _ = machine.endRound() }
        machine.release()
        isInRound = false
        uploadsAt = device.clock.nanoseconds + min(pause, 60_000_000_000)
    }

    /// Ends the request under way: the server may have it whole or not.
    func callBack() {
        if let (segment, bytes) = underWay {
            underWay = nil
            if device.chance(30) { _ = try? device.network.send(segment.name, bytes, from: device.number) }
            _ = machine.ended(.failure(CancellationError()), isCalledBack: true)
        }
        // The next step finds that nothing may leave, and lets go of the folder's lock.
        if case .send(let segment)? = try? machine.next() { device.report("\(segment.name) leaves although it was called back") }
    }

    func closeUploader() {
        if underWay != nil { _ = machine.ended(.failure(CancellationError()), isCalledBack: true) }
        underWay = nil
        machine.close()
    }
}

/// Passes events to the writer, and tells the device which ones were recorded.
///
/// `@unchecked Sendable`: a simulation has one thread.
private final class Probe: TrackingSink, @unchecked Sendable {
    private let writer: EventFileWriter
    private unowned let app: SimulatedApp

    init(_ writer: EventFileWriter, _ app: SimulatedApp) {
        self.writer = writer
        self.app = app
    }

    var spoolsWhilePending: Bool { true }

    func record(_ event: StampedEvent) { app.record(event) }
    func flush() async throws -> FlushReceipt { FlushReceipt() }
    func setConsent(_ consent: TrackingConsent) { app.decide(consent) }
    func erase(completion: @escaping @Sendable ((any Error)?) -> Void) { writer.erase(completion: completion) }
}

/// Time that the simulation moves. Each device has a time of day of its own.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class SimulatedClock: @unchecked Sendable {
    private(set) var nanoseconds: Int64 = 1_000_000_000
    private var offsets: [Int: Int64] = [:]

    func advance(_ duration: Duration) { nanoseconds += duration.clampedNanoseconds }
    func setBack(_ device: Int, milliseconds: Int64) { offsets[device, default: 0] -= milliseconds }

    func wall(of device: Int) -> WallClock {
        WallClock { [self] in 1_767_225_600_000 + nanoseconds / 1_000_000 + offsets[device, default: 0] }
    }
}

extension EventFileWriter {
    /// A writer without a thread, and the thread's work for the caller to run turn by turn.
    static func withoutThread(
        folder: String, options: EventFileWriterOptions, startsSuspended: Bool = false, clock: WallClock, monotonicClock: MonotonicClock,
        fileSystem: any FileSystem, random: SeededRandom, onError: (@Sendable (EventFileError) -> Void)? = nil,
        onRecovery: (@Sendable (RecoveryResult) -> Void)? = nil
    ) throws(EventFileError) -> (EventFileWriter, WriterThread) {
        let context = WriterContext(
            options: options, wallClock: clock, clock: monotonicClock, onError: onError, onRecovery: onRecovery)
        let parts = try Parts(folder, context, startsSuspended, fileSystem, random)
        return (EventFileWriter(parts, thread: nil), parts.makeThread())
    }
}

extension WriterThread {
    /// Runs one turn of ``run()``. Returns `false` if nothing is due or the writer is closed.
    @discardableResult
    func turnIfDue() -> Bool {
        guard case .work(let errand) = monitor.withState({ $0.next(times, at: context.clock.nanoseconds) }) else { return false }
        return turn(errand)
    }
}
