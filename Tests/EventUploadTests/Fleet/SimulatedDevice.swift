import Basics
import EventUpload
import LoopTracking
import TrackingEvents

@testable import EventFiles

/// An app on a device: it tracks, asks for consent, erases, uploads, and is killed.
///
/// Tracker, writer, ring, retention and uploader are the real ones. Their threads and tasks are not there: the simulation takes each turn.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class SimulatedDevice: @unchecked Sendable {
    /// What must become of an event.
    enum Fate {
        /// It is at the collector once, or on the device, or named by a `dropped` line.
        case kept
        /// It waits on the device for the person's decision.
        case waiting
        /// It was erased, or the person did not agree: it is nowhere.
        case gone
        /// Nobody has promised anything: its erasure was asked for and did not end, or it was in memory alone, or not synced.
        case unsure
    }

    struct Event: Hashable {
        let session: String
        let sequence: Int64
    }

    /// What lives as long as the process.
    private struct Process {
        let writer: EventFileWriter
        let thread: WriterThread
        let tracker: Tracker
        var machine: UploadMachine
        var hasBegun = false
        /// The request under way, and the bytes that the transport has opened.
        var underWay: (segment: SealedSegment, bytes: [UInt8])?
        /// When there may be something to upload, in nanoseconds.
        var uploadsAt: Int64 = 0
    }

    static let folder = "events"

    let disk: SimulatedDisk
    private let number: Int
    private let clock: SimulatedClock
    private let network: SimulatedNetwork
    private let faults: Fleet.Faults
    private let options: EventFileWriterOptions
    private let keepSent: Duration
    private var random: SeededRandom
    private var process: Process?

    /// What the app remembers; `nil` if it asks nobody.
    private(set) var consent: TrackingConsent?
    private(set) var fates: [Event: Fate] = [:]
    /// Events that a flush has promised to keep through a power loss.
    private(set) var promised: Set<Event> = []
    /// Events since nothing waited to be written.
    private var unwritten: [Event] = []
    /// Events of this process.
    private var recordedHere: [Event] = []
    /// Whether a file had a copy of all that waited.
    private var wasCopied = true
    private let asks: Bool
    private(set) var kills = 0
    private(set) var broken: [String] = []

    init(_ number: Int, clock: SimulatedClock, network: SimulatedNetwork, faults: Fleet.Faults, random: SeededRandom) {
        var random = random
        self.number = number
        self.clock = clock
        self.network = network
        self.faults = faults
        disk = SimulatedDisk(random: SeededRandom(seed: random.next()), wallClock: clock.wall(of: number))
        disk.syncsNothing = faults.contains(.disksLie)
        var options = EventFileWriterOptions()
        options.ringBytes = 100_000
        options.ringEvents = [12, 40, 8_192][Int.random(in: 0..<3, using: &random)]
        options.reservedMetaPlaces = 8
        options.overflow = Bool.random(using: &random) ? .dropNewest : .dropOldest
        options.retainFiles = [2, 5, 1_000][Int.random(in: 0..<3, using: &random)]
        options.repackLevel = Bool.random(using: &random) ? 6 : nil
        self.options = options
        keepSent = Bool.random(using: &random) ? .zero : .seconds(600)
        asks = Int.random(in: 0..<3, using: &random) == 0
        consent = asks ? .pending : nil
        self.random = random
    }

    private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    // MARK: The process

    var isRunning: Bool { process != nil }

    func start() {
        disk.revive()
        recordedHere = []
        let seed = faults.contains(.namesRepeat) ? 7 : random.next()
        do {
            let (writer, thread) = try EventFileWriter.withoutThread(
                folder: Self.folder, options: options, clock: clock.wall(of: number), monotonicClock: clock.monotonic, fileSystem: disk,
                random: SeededRandom(seed: seed))
            let hasBegun = chance(50)
            if hasBegun { thread.begin() }
            let probe = Probe(writer, self)
            let tracker = Tracker(
                to: probe, user: "u\(number)", consent: consent, clock: clock.wall(of: number), random: SeededRandom(seed: random.next()))
            let machine = UploadMachine(
                folder: Self.folder, fileSystem: disk, keepSent: keepSent, clock: clock.monotonic, wallClock: clock.wall(of: number),
                random: SeededRandom(seed: random.next()), mayUpload: writer.mayUpload)
            process = Process(writer: writer, thread: thread, tracker: tracker, machine: machine, hasBegun: hasBegun)
            _ = writer.observeSegments { [unowned self] event in
                switch event {
                case .sealed, .granted: process?.uploadsAt = 0
                case .denied, .erasing: callBack()
                }
            }
        } catch {
            // The disk is full or has failed: the app tries again later.
            kills += 1
        }
    }

    /// The process is gone.
    func kill() {
        disk.kill()
        noteDeath()
    }

    func losePower() {
        disk.losePower()
        noteDeath()
        for (event, fate) in fates where (fate == .kept || fate == .waiting) && !promised.contains(event) { fates[event] = .unsure }
    }

    /// Lets the process go if a call has killed it.
    func noteDeath() {
        guard let ended = process, disk.isKilled else { return }
        if let (segment, bytes) = ended.underWay, chance(30) { network.leaveOnItsWay(segment.name, bytes) }
        // Where no ring file stood, a kill loses what waited.
        disk.log?("  died, copied: \(wasCopied), waiting: \(unwritten.count)")
        if !wasCopied { for event in unwritten where fates[event] != .gone { fates[event] = .unsure } }
        unwritten = []
        process = nil
        kills += 1
    }

    /// Looks what a kill before the thread's next turn, or in it, would cost.
    private func noteCopies() {
        guard let process else { return }
        let (waiting, isCopied) = process.writer.monitor.withState { state in
            (
                state.ring.waitingLines,
                !state.ring.mustMoveCopies
                    && Lane.allCases.allSatisfy { state.ring[$0].lines.count == 0 || !(state.ring[$0].file?.isPaused ?? true) }
            )
        }
        if waiting == 0 { unwritten = [] }
        wasCopied = isCopied
    }

    func close() {
        guard process != nil else { return }
        if process?.underWay != nil { _ = process?.machine.ended(.failure(CancellationError()), isCalledBack: true) }
        process?.underWay = nil
        process?.machine.close()
        if ask(.close) == .some(nil) { process = nil } else if !disk.isKilled { kill() }
        noteDeath()
    }

    /// Turns of the writer's thread, at most so many.
    func turn(atMost count: Int) {
        for _ in 0..<count {
            guard let thread = process?.thread, !disk.isKilled else { break }
            noteCopies()
            if process?.hasBegun == false {
                process?.hasBegun = true
                thread.begin()
                continue
            }
            guard case .taken = thread.turnIfDue() else { break }
        }
        noteDeath()
        noteCopies()
    }

    /// - Returns: the error that the writer answers with; `nil` if it does not answer.
    @discardableResult
    func ask(_ kind: WriterMailbox.Request.Kind) -> EventFileError?? {
        guard let process else { return nil }
        let answer = Answer()
        process.writer.monitor.request(kind) { answer.error = .some($0) }
        // A writer whose storage fails may have to wait before it gives up.
        for _ in 0..<200 where answer.error == nil && !disk.isKilled { turn(atMost: 1) }
        noteDeath()
        return disk.isKilled ? nil : answer.error
    }

    /// `@unchecked Sendable`: a simulation has one thread.
    private final class Answer: @unchecked Sendable {
        var error: EventFileError??
    }

    // MARK: The app

    func track() {
        process?.tracker.track(TrackingEvent("e\(Int.random(in: 0..<5, using: &random))", ["price": 9.5]))
        noteCopies()
    }

    fileprivate func recorded(_ event: StampedEvent) {
        guard let session = event.session, let sequence = event.sequence else { return }
        let event = Event(session: session, sequence: sequence)
        disk.log?("  recorded \(event)")
        fates[event] = consent == .pending ? .waiting : .kept
        unwritten.append(event)
        recordedHere.append(event)
    }

    func decide(_ new: TrackingConsent) {
        guard let process, asks else { return }
        consent = new
        process.tracker.setConsent(new)
        noteDeath()
        noteCopies()
    }

    /// The sink hears of a decision in order with the events.
    fileprivate func decided(_ consent: TrackingConsent) {
        guard consent != .pending else { return }
        for (event, fate) in fates where fate == .waiting { fates[event] = consent == .granted ? .kept : .gone }
    }

    func flush(_ durability: FlushDurability) {
        // A writer promises nothing of another that was killed.
        let before = recordedHere.filter { fates[$0] == .kept }
        if ask(.flush(durability)) == .some(nil), durability == .durable { promised.formUnion(before) }
    }

    func erase() {
        guard process != nil else { return }
        let before = fates.filter { $0.value != .gone }.map(\.key)
        for event in before { fates[event] = .unsure }
        promised.subtract(before)
        if ask(.erase) == .some(nil) { for event in before { fates[event] = .gone } }
    }

    // MARK: The uploader

    /// One step of the uploader.
    ///
    /// - Returns: whether there was something to do.
    @discardableResult
    func upload() -> Bool {
        guard process != nil, !disk.isKilled else { return false }
        defer { noteDeath() }
        if let (segment, bytes) = process?.underWay {
            process?.underWay = nil
            var result = Result { try network.send(segment.name, bytes) }
            disk.log?("  sent \(segment.name): \(result)")
            if faults.contains(.lostAnswersCount), case .failure = result { result = .success(.stored) }
            _ = process?.machine.ended(result, isCalledBack: false)
            return true
        }
        guard let uploadsAt = process?.uploadsAt, clock.nanoseconds >= uploadsAt else { return false }
        do throws(UploadError) {
            switch try process?.machine.next() {
            case .send(let segment):
                guard let bytes = disk.contents(segment.path) else { throw .changed(path: segment.path) }
                process?.underWay = (segment, bytes)
                checkMayLeave(segment, bytes)
            case .failed: break
            case .wait(let pause): process?.uploadsAt = clock.nanoseconds + min(pause ?? .max, 60_000_000_000)
            case .busy: broken.append("the folder's lock is held by nobody")
            case nil: return false
            }
        } catch {
            process?.uploadsAt = clock.nanoseconds + 60_000_000_000
        }
        return true
    }

    private func callBack() {
        if let (segment, bytes) = process?.underWay {
            process?.underWay = nil
            // The server may have had it whole.
            if chance(30) { _ = try? network.send(segment.name, bytes) }
            _ = process?.machine.ended(.failure(CancellationError()), isCalledBack: true)
        }
        // The next step finds that nothing may leave, and lets go of the folder's lock.
        if case .send(let segment)? = try? process?.machine.next() { broken.append("\(segment.name) leaves although it was called back") }
    }

    /// What has no consent, or was erased, must not leave.
    private func checkMayLeave(_ segment: SealedSegment, _ bytes: [UInt8]) {
        if consent == .denied { broken.append("\(segment.name) leaves after consent was denied") }
        for event in SegmentReading(bytes).events {
            switch fates[event] {
            case .waiting?, .gone?: broken.append("\(event) leaves, and is \(fates[event]!)")
            default: break
            }
        }
    }

    // MARK: The end

    /// All is well again: whatever can, arrives. The second process finds what the first has left.
    func heal() {
        (disk.capacity, disk.failures, disk.killAt) = (nil, 0, nil)
        for _ in 0..<2 {
            if process == nil { start() }
            process?.machine.restart()
            process?.uploadsAt = 0
            for _ in 0..<4 {
                // A pause after a failure of the disk.
                clock.advance(.seconds(120))
                turn(atMost: 50)
            }
            // What was postponed is recovered after a rotation.
            for kind in [WriterMailbox.Request.Kind.recovery, .rotate, .recovery] where ask(kind) != .some(nil) {
                broken.append("the writer does not answer: \(kind)")
            }
            turn(atMost: 50)
            for _ in 0..<400 where !upload() {
                clock.advance(.seconds(3_600))
                if consent == .denied || process?.machine.statistics.waiting == 0 { break }
            }
            close()
            if process != nil || disk.isKilled { broken.append("the writer does not close") }
        }
    }

    /// What is on the device now.
    func left() -> SegmentReading {
        var reading = SegmentReading()
        for (path, bytes) in disk.files {
            guard let (_, state) = SegmentName.parse(path.split(separator: "/").last.map(String.init) ?? "") else { continue }
            switch state {
            case .sealed where path.contains(".sent/"): break
            case .sealed, .open: reading.add(bytes)
            case .temporary, .ring: broken.append("\(path) is left behind")
            case .sidecar: break
            }
            if consent != .denied, state == .sealed, path.hasPrefix(Self.folder + "/events-") { broken.append("\(path) did not leave") }
        }
        return reading
    }
}

/// Hands on to the writer, and tells the device what it has taken.
///
/// `@unchecked Sendable`: a simulation has one thread.
private final class Probe: TrackingSink, @unchecked Sendable {
    private let writer: EventFileWriter
    private unowned let device: SimulatedDevice

    init(_ writer: EventFileWriter, _ device: SimulatedDevice) {
        self.writer = writer
        self.device = device
    }

    var spoolsWhilePending: Bool { true }

    func record(_ event: StampedEvent) {
        writer.record(event)
        device.recorded(event)
    }

    func flush() async throws -> FlushReceipt { FlushReceipt() }

    func setConsent(_ consent: TrackingConsent) {
        writer.setConsent(consent)
        device.decided(consent)
    }

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

    var monotonic: MonotonicClock { MonotonicClock { [self] in nanoseconds } }
    func wall(of device: Int) -> WallClock {
        WallClock { [self] in 1_767_225_600_000 + nanoseconds / 1_000_000 + offsets[device, default: 0] }
    }
}
