import Basics
import EventUpload
import Foundation
import LoopTracking
import TrackingEvents

@testable import EventFiles

/// A device: what its processes record and what must become of it.
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
        /// Its person was forgotten on the device before it left: it is nowhere.
        case forgotten
        /// Nothing was promised: its `record()` did not return, an erasure of it did not end, or it was in memory alone or not synced when
        /// the process or the power was lost.
        case unsure
    }

    struct Event: Hashable, CustomStringConvertible {
        let session: String
        let sequence: Int64
        /// Tells events apart where a session begins anew under its old id and repeats its numbers.
        let id: String

        var description: String { "\(session)/\(sequence)" }
    }

    /// What is known of an event.
    struct Entry {
        var fate: Fate
        let user: String
        /// The number of the process that recorded it.
        let process: Int
        /// The process in which the person consented, if the event was recorded before that.
        var grantedIn: Int?
        /// Whether the person denied consent for the event.
        var isDenied = false
    }

    static let folder = "events"
    private var isMarkedAsErasing: Bool { disk.find(Self.folder)?.names[Erasure.markerName] != nil }

    let disk: SimulatedDisk
    let number: Int
    let clock: SimulatedClock
    let network: SimulatedNetwork
    let faults: Fleet.Faults
    let options: EventFileWriterOptions
    let keepSent: Duration
    private var random: SeededRandom
    private(set) var apps: [SimulatedApp] = []
    private var lastProcess = 0
    private var ended: Set<Int> = []

    /// The consent that the app remembers; `nil` if it asks for none.
    private(set) var consent: TrackingConsent?
    private(set) var entries: [Event: Entry] = [:]
    /// Events that a flush has promised to keep through a power loss.
    private(set) var promised: Set<Event> = []
    /// Whether drops may count more than is missing, because a writer counts as lost what another process erased with its file.
    private(set) var countsErased = false
    /// Whether `dropped` lines may name more events than are missing. Expiry's line about a segment is ignored if that segment is at the
    /// collector. After a kill before the removal, the segment may also still be on the device. Then the line counts here all the same.
    var mayCountTwice: Bool { countsErased || options.retainFiles < 1_000 }
    /// Kills between two stores. Each may leave an event that is counted as dropped and still there: it is counted before it makes room.
    private(set) var killsInStores = 0
    /// The contents of segments that were sent before, by name.
    private var known: [String: (bytes: [UInt8], events: [Event])] = [:]
    /// Persons whose events are not all removed yet, because a run was killed or interrupted.
    private var unforgotten: Set<String> = []
    let asks: Bool
    private(set) var kills = 0
    private(set) var excused = 0
    private(set) var broken: [String] = []

    init(
        _ number: Int, clock: SimulatedClock, network: SimulatedNetwork, faults: Fleet.Faults, ring: EventFileWriterOptions.RingFile,
        random: SeededRandom
    ) {
        var random = random
        self.number = number
        self.clock = clock
        self.network = network
        self.faults = faults
        disk = SimulatedDisk(random: SeededRandom(seed: random.next()), wallClock: clock.wall(of: number))
        disk.syncsNothing = faults.contains(.disksLie)
        disk.locksAreOpen = faults.contains(.locksAreOpen)
        disk.ringsForget = faults.contains(.ringsForget)
        disk.erasuresLeaveNoNumber = faults.contains(.erasuresLeaveNoNumber)
        var options = EventFileWriterOptions()
        options.ringBytes = 100_000
        options.ring = ring
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

    func draw(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
    func chance(_ percent: Int) -> Bool { draw(0..<100) < percent }
    func newSeed() -> UInt64 { faults.contains(.namesRepeat) ? 7 : random.next() }
    func report(_ text: String) { broken.append(text) }

    // MARK: Processes

    var hasWriter: Bool { apps.contains { $0.writer != nil } }

    /// A process with a tracker, if there is one.
    var tracking: SimulatedApp? {
        let all = apps.filter { $0.writer != nil }
        return all.isEmpty ? nil : all[draw(0..<all.count)]
    }

    var anyApp: SimulatedApp? { apps.isEmpty ? nil : apps[draw(0..<apps.count)] }

    func start(writes: Bool = true, killAt: Int? = nil, startsSuspended: Bool = false) {
        lastProcess += 1
        // An uploader alone knows no consent, so the app starts none while consent is denied (`SegmentUploader(folder:to:)`).
        if !writes && consent == .denied { return }
        let app = try? SimulatedApp(
            lastProcess, of: self, writes: writes, predecessors: ended, killAt: killAt, startsSuspended: startsSuspended)
        if let app {
            // Another process may still be erasing. Until that ends, the erasure may also remove what this one records.
            app.isErasedByOthers = apps.contains { $0.isErasing }
            apps.append(app)
        } else {
            // The disk is full or has failed, or the process was killed: the app tries again later.
            kills += 1
            ended.insert(lastProcess)
        }
        noteDeaths()
    }

    func kill(_ app: SimulatedApp) {
        app.noteCopies()
        app.process.kill()
        noteDeaths()
    }

    func losePower() {
        for app in apps { app.process.kill() }
        disk.losePower()
        noteDeaths()
        for (event, entry) in entries where (entry.fate == .kept || entry.fate == .waiting) && !promised.contains(event) {
            entries[event]?.fate = .unsure
        }
    }

    /// Removes the processes that a call has killed, and notes which events they lost.
    func noteDeaths() {
        for app in apps where app.isAlive && app.isSuspended && app.process.holdsSomething {
            report("process \(app.number) holds something while it is suspended")
        }
        for app in apps where !app.isAlive {
            if let (segment, bytes) = app.underWay, chance(30) { network.leaveOnItsWay(segment.name, bytes, from: number) }
            let lost = app.lostWithMemory
            disk.log?("  process \(app.number) died, waiting: \(app.unwritten.map(\.event)), in memory alone: \(lost)")
            for event in lost where entries[event]?.fate == .kept || entries[event]?.fate == .waiting {
                entries[event]?.fate = .unsure
                excused += 1
            }
            if app.isErasingPending, consent != .denied {
                // The next process gets the last decision alone, and promotes what this one had not erased yet.
                for (event, entry) in entries where entry.isDenied && entry.fate == .gone { entries[event]?.fate = .unsure }
            }
            kills += 1
            if app.process.diedInStore { killsInStores += 1 }
            ended.insert(app.number)
        }
        apps.removeAll { !$0.isAlive }
    }

    func close(_ app: SimulatedApp) {
        app.closeUploader()
        if app.writer != nil, app.ask(.close) != .some(nil), app.isAlive { kill(app) }
        if !app.isAlive { return noteDeaths() }
        ended.insert(app.number)
        apps.removeAll { $0 === app }
    }

    func suspend(_ app: SimulatedApp) {
        disk.log?("  process \(app.number) is suspended")
        app.suspend()
        noteDeaths()
    }

    func resume(_ app: SimulatedApp) {
        disk.log?("  process \(app.number) is resumed")
        app.resume()
        noteDeaths()
    }

    func turn(atMost count: Int) {
        anyApp?.turn(atMost: count)
        noteDeaths()
    }

    /// Lets the other processes go on while one waits for the uploader's lock.
    func letOthersWork(but number: Int) {
        for app in apps where app.number != number && app.isAlive {
            // An uploader looks for the mark of an erasure while a request is under way.
            if app.underWay != nil, isMarkedAsErasing { app.callBack() } else { app.upload() }
        }
    }

    func hasName(_ name: String, _ inode: UInt64) -> Bool {
        guard let folder = disk.find(Self.folder) else { return false }
        return folder.names[name]?.inode == inode || folder.names[PendingFolder.name]?.names[name]?.inode == inode
    }

    // MARK: The app

    func track() {
        guard let app = tracking, let tracker = app.tracker else { return }
        let event = TrackingEvent("e\(draw(0..<5))", ["price": 9.5])
        // A second person on the device. Two processes do not share a session.
        if chance(30) { tracker.scoped(user: "v\(number)", session: "v\(number)-\(app.number)").track(event) } else { tracker.track(event) }
        noteDeaths()
    }

    func recorded(_ event: Event, of user: String, by app: SimulatedApp, hasReturned: Bool) {
        disk.log?("  process \(app.number) recorded \(event)\(hasReturned ? "" : " and died")")
        if !isMarkedAsErasing, !app.mayFindErasure, !apps.contains(where: { $0 !== app && $0.isErasing }) { app.isErasedByOthers = false }
        let fate: Fate = !hasReturned || app.isErasedByOthers ? .unsure : consent == .pending ? .waiting : .kept
        entries[event] = Entry(fate: fate, user: user, process: app.number)
    }

    func decide(_ new: TrackingConsent) {
        guard asks, let app = tracking else { return }
        disk.log?("  consent \(new)")
        consent = new
        if new == .denied { for other in apps where other.writer == nil { close(other) } }
        app.tracker?.setConsent(new)
        app.noteCopies()
        noteDeaths()
    }

    /// Called by the sink, which gets a decision in order with the events.
    func decided(_ consent: TrackingConsent, in app: SimulatedApp) {
        if consent == .pending { return }
        let isMoving = disk.find("\(Self.folder)/\(PendingFolder.name)") != nil
        for (event, entry) in entries {
            switch entry.fate {
            case .waiting:
                entries[event]?.fate = consent == .granted ? .kept : .gone
                if consent == .granted { entries[event]?.grantedIn = app.number }
                entries[event]?.isDenied = consent == .denied
            // A process killed while it moves granted events leaves some in `.pending/`, where a denial in another process erases them.
            case .kept where consent == .denied && isMoving && entry.grantedIn.map { $0 != app.number } ?? false:
                entries[event]?.fate = .unsure
            default: break
            }
        }
    }

    func flush(_ durability: FlushDurability) {
        guard let app = tracking else { return }
        // A flush covers the events of this writer, and those of processes that had ended before it began.
        let before = entries.filter { _, entry in
            (entry.fate == .kept || entry.fate == .waiting) && (entry.process == app.number || app.predecessors.contains(entry.process))
        }
        if app.ask(.flush(durability)) == .some(nil), durability == .durable { promised.formUnion(before.keys) }
        disk.log?("  promised \(promised.count)")
        noteDeaths()
    }

    func rotate() {
        _ = tracking?.ask(.rotate)
        noteDeaths()
    }

    func erase() {
        guard let app = tracking else { return }
        if apps.count > 1 { countsErased = true }
        let before = entries.filter { $0.value.fate != .gone }
        for event in before.keys { entries[event]?.fate = .unsure }
        promised.subtract(before.keys)
        // Another process may have more in its memory.
        let isDone = app.ask(.erase) == .some(nil)
        let others = Set(apps.filter { $0 !== app && !$0.isSuspended }.map(\.number))
        for other in apps where other !== app { other.isErasedByOthers = true }
        if isDone { for (event, entry) in before where !others.contains(entry.process) { entries[event]?.fate = .gone } }
        noteDeaths()
    }

    // MARK: The uploader

    /// Reports an event that leaves without consent or after an erasure, and a segment that two processes send at the same time.
    func leaves(_ segment: SealedSegment, _ bytes: [UInt8], from app: SimulatedApp) {
        if consent == .denied { report("\(segment.name) leaves after consent was denied") }
        if apps.contains(where: { $0 !== app && $0.isAlive && $0.underWay?.segment.name == segment.name }) {
            report("\(segment.name) is sent by two processes at the same time")
        }
        for event in events(in: segment.name, bytes) {
            switch entries[event]?.fate {
            case .waiting?, .gone?, .forgotten?: report("\(event) leaves, and is \(entries[event]!.fate)")
            default: break
            }
        }
    }

    /// The events in a segment. A segment that is sent again is not read again.
    private func events(in name: String, _ bytes: [UInt8]) -> [Event] {
        if let known = known[name], known.bytes.count == bytes.count, memcmp(known.bytes, bytes, bytes.count) == 0 { return known.events }
        let events = SegmentReading(bytes).events
        known[name] = (bytes, events)
        return events
    }

    func isBusy(for app: SimulatedApp) {
        if !apps.contains(where: { $0 !== app && $0.isAlive }) { report("the folder's lock is held by nobody") }
    }

    // MARK: One person's data

    /// Removes one person's events from the device while no process is at work, and is perhaps killed meanwhile.
    ///
    /// - Parameter interruptAt: before which step a suspension ends it.
    func forget(_ user: String, mayDie: Bool = true, interruptAt: Int? = nil) {
        guard apps.allSatisfy(\.isSuspended), disk.find(Self.folder) != nil else { return }
        var found: [String: [Event]] = [:]
        let files = disk.files
        for (path, bytes) in files where SegmentName.parse(path.split(separator: "/").last.map(String.init) ?? "") != nil {
            found[path] = path.hasSuffix(".ring") ? [] : SegmentReading(bytes).events(of: user)
        }
        let killAt = mayDie && chance(50) ? draw(1..<80) : nil
        // This draw keeps the runs of seeds that once found a fault.
        _ = random.next()
        let run = Forgetting.run(user, in: Self.folder, of: files, killAt: killAt, interruptAt: interruptAt)
        if run.error as? EventFileError == .closed { report("an interrupted forgetting still holds something") }
        disk.log?("  forgets \(user), killed at \(killAt ?? 0): \(run.report?.files.map { "\($0.path) \($0.outcome)" } ?? [])")
        disk.replace(by: run.files)
        guard let report = run.report else {
            unforgotten.insert(user)
            for event in found.values.flatMap({ $0 }) where entries[event]?.fate != .gone { entries[event]?.fate = .unsure }
            return
        }
        unforgotten.remove(user)
        for file in report.files {
            if case .refused = file.outcome { continue }
            guard let path = found.keys.first(where: { file.path.hasSuffix("/" + $0) }) else { continue }
            // What is in `.sent/` is at the collector, too.
            if path.contains(SentFolder.name) { continue }
            for event in found[path] ?? [] where entries[event]?.fate == .kept || entries[event]?.fate == .waiting {
                entries[event]?.fate = .forgotten
            }
        }
    }

    // MARK: The end

    /// Records and uploads for a while on a network that is still bad.
    func storm() {
        (disk.capacity, disk.failures) = (nil, 0)
        for app in apps { app.resume() }
        if !hasWriter { start() }
        if chance(70) { decide(.granted) }
        // Every run is to see some answers lost.
        for round in 0..<8 where round < 3 || network.lostReplies < 2 {
            if !hasWriter { start() }
            for _ in 0..<3 { track() }
            rotate()
            tracking?.beginRound()
            for _ in 0..<10 { anyApp?.upload() }
            clock.advance(.seconds(700))
            noteDeaths()
        }
    }

    /// Lifts all faults and lets everything arrive that can. A second process takes over what the first leaves.
    func heal() {
        (disk.capacity, disk.failures) = (nil, 0)
        for app in apps { (app.process.killAt, app.process.killAtStore) = (nil, nil) }
        for app in apps { app.resume() }
        for app in apps.dropFirst() { close(app) }
        if !unforgotten.isEmpty {
            for app in apps { close(app) }
            for user in unforgotten.sorted() { forget(user, mayDie: false) }
        }
        for app in apps where app.writer == nil { close(app) }
        for _ in 0..<2 { settle() }
        if consent != .denied { return }
        // What was sent without an answer before consent was denied is asked about once it is granted again.
        start()
        decide(.granted)
        settle()
    }

    private func settle() {
        if apps.isEmpty { start() }
        guard let app = apps.first else { return report("no process begins") }
        app.restartUploads()
        for _ in 0..<4 {
            // Longer than the writer's pause after a failure of the disk.
            clock.advance(.seconds(120))
            app.turn(atMost: 50)
        }
        // What was postponed is recovered after a rotation.
        for kind in [WriterMailbox.Request.Kind.recovery, .rotate, .recovery] where app.ask(kind) != .some(nil) {
            report("the writer does not answer: \(kind)")
        }
        app.turn(atMost: 50)
        for _ in 0..<400 where !app.upload() {
            clock.advance(.seconds(3_600))
            if consent == .denied || app.hasNothingToSend { break }
        }
        close(app)
        if !apps.isEmpty { report("the writer does not close") }
    }

    /// Reads what is on the device now, and reports files that should not be there.
    func left() -> SegmentReading {
        var reading = SegmentReading()
        for (path, bytes) in disk.files {
            guard let (_, state) = SegmentName.parse(path.split(separator: "/").last.map(String.init) ?? "") else { continue }
            switch state {
            case .sealed where path.contains(".sent/"): break
            case .sealed, .open: reading.add(bytes)
            case .temporary, .ring: report("\(path) is left behind")
            case .summary: break
            }
            if consent != .denied, state == .sealed, path.hasPrefix(Self.folder + "/events-") { report("\(path) did not leave") }
        }
        return reading
    }
}
