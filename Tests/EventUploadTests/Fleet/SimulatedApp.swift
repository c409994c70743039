import Basics
import EventUpload
import LoopTracking
import TrackingEvents

@testable import EventFiles

/// A process on a device: an app that tracks and uploads, or an uploader alone.
///
/// Tracker, writer, ring, retention and uploader are the real ones. Their threads and tasks are not there: the simulation takes each turn.
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
    /// When there may be something to upload, in nanoseconds.
    private var uploadsAt: Int64 = 0
    private var isInRound = false
    /// Events since nothing waited to be written, with their lanes.
    private(set) var unwritten: [(event: SimulatedDevice.Event, lane: Lane, isInFile: Bool)] = []
    /// What became of lines of a lane when the process was last looked at.
    private enum Copies {
        /// They are in memory alone.
        case none
        /// Those that the ring's last write had are in its file.
        case some
        /// All are in the ring's file.
        case all
    }
    private var (mainCopies, pendingCopies) = (Copies.none, Copies.none)
    /// Whether consent was denied and what had waited for it was not erased yet.
    private(set) var isErasingPending = false
    /// Whether another process is erasing the folder: it takes what comes until it has ended, too.
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
            random: SeededRandom(seed: device.newSeed()), mayUpload: mayUpload)
        guard let writer else { return }
        if hasBegun { thread?.begin() }
        process.willDie = { [unowned self] call in
            // A ring that is being written counts as written already, and its lock may be held.
            if call != .write || device.options.ring == .automatic { noteCopies() }
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

    /// Looks which lanes have a ring file with all that waits.
    func noteCopies() {
        guard let writer else { return }
        writer.monitor.withState { state in
            let (main, pending) = (state.ring[.main], state.ring[.pending])
            (mainCopies, pendingCopies) = (copies(of: main.ring), copies(of: pending.ring))
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
    /// The contract excuses these: "Where the ring is in memory the old contract holds", and "lines recorded before one stands have the old contract"
    /// (`collection.md` §1). A ring whose name another process has erased is in memory, too.
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

    /// Turns of the writer's thread, at most so many.
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

    /// Whether an erasure was asked for that has not succeeded: what fails is tried again, and what another process has ended begins anew.
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
        // What waited in memory has come to the main lane.
        if consent == .granted, isAlive, writer?.monitor.withState({ $0.ring.pending.count }) == 0 {
            for index in unwritten.indices { unwritten[index].lane = .main }
        }
        device.decided(consent, in: self)
    }

    // MARK: Suspension

    /// Whether it was suspended, and not resumed or killed since.
    private(set) var isSuspended: Bool
    /// Whether it has still to look if everything was erased while it was suspended: what it records until then goes, too.
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

    /// Everything is tried once, without pauses.
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
        // An uploader alone is stopped.
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

/// Hands on to the writer, and tells the device what it has taken.
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
    /// A writer without a thread, and what a thread would do, for somebody who drives that.
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
    /// ``run()`` turn by turn; `false` where nothing is due, and once the writer is closed.
    @discardableResult
    func turnIfDue() -> Bool {
        guard case .work(let errand) = monitor.withState({ $0.next(times, at: context.clock.nanoseconds) }) else { return false }
        return turn(errand)
    }
}
