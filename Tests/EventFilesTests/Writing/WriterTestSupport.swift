import Basics
import Foundation
import LoopTesting
import TestSupport
import Testing
import TrackingEvents

@testable import EventFiles

/// A folder for one test. It is removed with this object.
final class WriterTestFolder: Sendable {
    let path: String

    init() throws {
        path = testFolders + "looptrail-writer-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// All names in order, hidden ones too, without the number of the last erasure and rings, which may come at any time.
    var names: [String] { all.filter { !$0.isOfRing && $0 != Erasure.numberName } }
    var rings: [String] { all.filter { SegmentName.parse($0)?.state == .ring } }
    private var all: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
    var sealed: [String] { names.filter { SegmentName.parse($0)?.state == .sealed } }
    var open: [String] { names.filter { SegmentName.parse($0)?.state == .open } }

    func bytes(_ name: String) throws -> [UInt8] { try Array(Data(contentsOf: URL(fileURLWithPath: path + "/" + name))) }
    func put(_ bytes: [UInt8], _ name: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name)) }
    func decode(_ name: String) throws -> DecodedSegment { try DecodedSegment(bytes(name)) }

    /// The lines of all segments, in the order of their names' numbers.
    func lines() throws -> [String] {
        let ordered = (sealed + open).sorted { (SegmentName.parse($0)!.name.number, $0) < (SegmentName.parse($1)!.name.number, $1) }
        return try ordered.flatMap { try decode($0).lines }
    }

    func permissions(_ name: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path + "/" + name)[.posixPermissions] as? Int)
    }

    func setModified(_ name: String, milliseconds: Int64) throws {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path + "/" + name)
    }
}

/// A segment taken apart by itself, without the writer's own scan.
struct DecodedSegment {
    var members: [String] = []
    var memberBytes: [Int] = []
    var hasEndMember = false
    /// Bytes at the end that are no whole member.
    var torn = 0

    var lines: [String] { members.flatMap { $0.split(separator: "\n").map(String.init) } }

    init(_ bytes: [UInt8]) {
        let inflater = BGZFInflater()
        var place = 0
        while place < bytes.count {
            let raw = ByteBuffer(capacity: BGZF.memberLimit)
            let size: Int? = bytes[place...].withUnsafeBytes { rest in
                guard case .member(let header) = BGZF.head(of: rest), header.memberBytes <= rest.count else { return nil }
                return inflater.appendContents(of: rest, header: header, to: raw) == .whole ? header.memberBytes : nil
            }
            guard let size else {
                torn = bytes.count - place
                return
            }
            place += size
            hasEndMember = raw.count == 0
            if raw.count > 0 {
                members.append(raw.text)
                memberBytes.append(raw.count)
            }
        }
    }
}

/// Time that a test moves. Alternatively the monotonic time is the machine's, while the time of day stands still.
final class WriterTestClock: Sendable {
    private let now = Lock(Int64(1_767_225_600_000) * 1_000_000)
    private let machine: MonotonicClock?
    /// How often somebody asked for the time.
    private let readings = Announced(0)

    /// - Parameter runs: whether the monotonic time is the machine's, which nobody moves.
    init(runs: Bool = false) { machine = runs ? .system : nil }

    var wall: WallClock { WallClock { [self] in now.withLock { $0 } / 1_000_000 } }
    var monotonic: MonotonicClock {
        MonotonicClock { [self] in
            readings.change { $0 += 1 }
            return machine?.nanoseconds ?? now.withLock { $0 }
        }
    }
    var milliseconds: Int64 { now.withLock { $0 } / 1_000_000 }

    func advance(_ duration: Duration) {
        precondition(machine == nil, "the machine's time cannot be moved")
        now.withLock { $0 += duration.clampedNanoseconds }
    }

    /// Waits for what a writer's thread does by itself: it checks again whenever somebody asks for the time, as the thread does after each
    /// piece of work. After closing the thread asks no more; see ``announcing(_:_:)``.
    func until(_ holds: () throws -> Bool) async rethrows {
        while true {
            let seen = readings.value
            if try holds() || Task.isCancelled { return }
            await readings.until { $0 > seen }
        }
    }
}

extension WriterMonitor {
    /// Waits for what callers do while the writer's thread is kept elsewhere. Their signal for the thread wakes this wait instead.
    func until(_ holds: @escaping @Sendable (State) -> Bool) async {
        await onThread { self.lock.wait(on: self.work) { holds($0) ? .done(()) : .wait(nanoseconds: nil) } }
        // The signal that woke this was meant for the thread.
        work.signal()
    }
}

/// A callback for a writer that announces when the writer and its thread have ended: both hold it until then.
func announcing(
    _ isGone: Announced<Bool>, _ body: @escaping @Sendable (EventFileError) -> Void = { _ in }
) -> @Sendable (EventFileError) -> Void {
    final class Farewell: Sendable {
        let isGone: Announced<Bool>

        init(_ isGone: Announced<Bool>) { self.isGone = isGone }
        deinit { isGone.change { $0 = true } }
    }
    let farewell = Farewell(isGone)
    return { error in withExtendedLifetime(farewell) { body(error) } }
}

/// The n-th event of a session.
func testEvent(
    _ number: Int, session: String = "s1", name: String = "cart_added", text: String = "A1", kind: StampedEvent.Kind = .track
) -> StampedEvent {
    var random = SeededRandom(seed: UInt64(truncatingIfNeeded: number &* 31 &+ session.utf8.reduce(0) { $0 &* 131 &+ Int($1) }))
    return StampedEvent(
        timeMilliseconds: 1_767_225_600_000 + Int64(number), event: TrackingEvent(name, ["sku": .string(text), "price": 9.5]),
        user: "u\(session)", session: session, sequence: Int64(number),
        id: EventID(milliseconds: 1_767_225_600_000 + Int64(number), random: &random), kind: kind)
}

/// An event that no line has room for.
func tooLargeEvent() -> StampedEvent {
    var event = testEvent(1)
    for number in 0..<100 { event.event.properties["k\(number)"] = .string(String(repeating: "x", count: 1_000)) }
    return event
}

/// One line as a JSON object.
func object(_ line: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
}

/// The numbers of the events of a session, in the order of the lines.
func sequences(_ lines: [String], session: String = "s1") throws -> [Int] {
    try lines.compactMap { line in
        let object = try object(line)
        return object["session"] as? String == session ? object["seq"] as? Int : nil
    }
}

/// The meta lines of a name.
func notes(_ name: String, in lines: [String]) throws -> [[String: Any]] {
    try lines.compactMap { line in
        let object = try object(line)
        return object["type"] as? String == "meta" && object["name"] as? String == name ? object["props"] as? [String: Any] : nil
    }
}

extension EventFileWriter {
    /// A writer whose time stands still and whose names and ids repeat.
    convenience init(
        _ folder: WriterTestFolder, options: EventFileWriterOptions = EventFileWriterOptions(), clock: WriterTestClock = WriterTestClock(),
        seed: UInt64 = 1, fileSystem: any FileSystem = PosixFileSystem(), onError: (@Sendable (EventFileError) -> Void)? = nil,
        onDrop: (@Sendable ([DropReason: Int]) -> Void)? = nil, onRecovery: (@Sendable (RecoveryResult) -> Void)? = nil
    ) throws(EventFileError) {
        try self.init(
            folder: folder.path, options: options, clock: clock.wall, monotonicClock: clock.monotonic, fileSystem: fileSystem,
            random: SeededRandom(seed: seed), onError: onError, onDrop: onDrop, onRecovery: onRecovery)
    }
}

/// Options whose ring file is small: for tests that make hundreds of writers.
let smallRing: EventFileWriterOptions = {
    var options = EventFileWriterOptions()
    options.ringBytes = 100_000
    return options
}()

/// All locks that the system knows. `String(contentsOfFile:)` stops after the first page of this file, which other tests' locks fill.
func systemLocks() throws -> String {
    let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/locks"))
    return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
}

/// The machine's file system without syncs, for tests that make hundreds of files and simulate no power loss.
func quickFiles() -> FaultyFileSystem { FaultyFileSystem { $0.kind == .synchronize ? .short(0) : nil } }

/// Holds the first thread that comes to it, until a test opens it.
final class Gate: Sendable {
    private let reached = Announced(false)
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() {
        let isFirst = reached.change { reached in
            defer { reached = true }
            return !reached
        }
        if isFirst { semaphore.wait() }
    }

    func open() { semaphore.signal() }

    func untilReached() async { await reached.until { $0 } }
}

extension FaultyFileSystem.Call {
    var isOfRing: Bool { name.isOfRing }
}

extension String {
    /// Whether it is the name of a ring, or of a file that becomes one.
    var isOfRing: Bool { hasSuffix(".ring") || SegmentName.parse(self).map { $0.state == .temporary && $0.name.number == 0 } ?? false }
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
