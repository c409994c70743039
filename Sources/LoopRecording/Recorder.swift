import Basics
package import LoopCore
public import LoopLogging
public import TrackingEvents

/// A flight recorder: it notes each event, where and by what it was sent, and what it changed, so that a session can be looked at
/// (`looptrail inspect`) and replayed (``LoopCore/System/replay(_:upTo:ignoringShape:hidden:isolation:)``).
///
/// ```swift
/// let recorder = try Recorder(folder: "recordings", app: ["name": "Shop", "version": "2.1.0"])       // LoopLogFiles
/// system.attach(.record(to: recorder))
/// …
/// try await recorder.close()
/// ```
/// Cheap enough to be always on: an event is written when it is taken, before the reducer, in about a microsecond, so that the one that crashed the
/// program is in the file. What it did to the state is found out and written on a thread of the recorder's own, as changes.
///
/// What waits for the thread is bounded. Where too much waits, the oldest of it is given up, and a line counts it; the events stay, so that a
/// replay is whole.
///
/// It is a sink, too: `Tracker(to: writer, recorder)` notes what was tracked. While consent is denied, nothing is recorded.
public final class Recorder: TrackingSink {
    /// Where the lines go.
    package struct Output: Sendable {
        /// Writes a line from whatever thread calls; `nil` where the recorder's thread has to write all.
        ///
        /// It returns whether the line was kept.
        package var writeAtOnce: (@Sendable (String) -> Bool)?
        package var makeWrite: @Sendable () -> (String) -> Bool
        package var flush: @Sendable () async throws -> Void = {}
        package var close: @Sendable () async throws -> Void = {}
        package var setConsent: @Sendable (TrackingConsent) -> Void = { _ in }
        package var erase: @Sendable (@escaping @Sendable ((any Error)?) -> Void) -> Void = { $0(nil) }

        package init(writeAtOnce: (@Sendable (String) -> Bool)? = nil, makeWrite: @escaping @Sendable () -> (String) -> Bool) {
            (self.writeAtOnce, self.makeWrite) = (writeAtOnce, makeWrite)
        }
    }

    private struct Job: Sendable {
        let session: RecordedSession?
        /// Of a step.
        var number = 0
        let run: @Sendable (_ write: (String) -> Bool) -> Void
    }

    private struct State {
        var systems = 0
        var random: SeededRandom
        var consent = TrackingConsent.granted
        /// The last event that each system has taken, by the system's name.
        var taken: [String: Int] = [:]
        /// How often recording was interrupted: whoever finds another count than before writes a head.
        var interruptions = 0
    }

    private let thread: JobThread<Job>
    private let output: Output
    private let app: [String: String]
    let clock: WallClock
    let stopwatch: StepClock
    private let state: Lock<State>

    /// A recorder for tests, and for outputs of your own.
    ///
    /// - Parameters:
    ///   - output: made on the recorder's thread and called there alone.
    ///   - app: what the head of each recording says of the program.
    ///   - clock: the time of day of each event.
    public convenience init(
        to output: @autoclosure @escaping @Sendable () -> LogOutput, app: [String: String] = [:], clock: WallClock = .system
    ) {
        let made = Output {
            let output = output()
            return { line in
                output.write(line)
                return true
            }
        }
        self.init(made, app: app, clock: clock)
    }

    package init(
        _ output: Output, app: [String: String], clock: WallClock = .system, stopwatch: StepClock = .processorTime,
        random: SeededRandom = SeededRandom(),
        capacity: Int = 4_096
    ) {
        (self.output, self.app, self.clock, self.stopwatch) = (output, app, clock, stopwatch)
        state = Lock(State(random: random))
        thread = JobThread(capacity: capacity, overflow: .oldest) {
            let write = output.makeWrite()
            return { batch in
                if let first = batch.firstDropped {
                    let session = first.session ?? RecordedSession(id: "", system: nil, app: [:], isBeside: false)
                    _ = write(RecordingText.lost(session, batch.dropped, from: first.number, reason: "overflow"))
                }
                for job in batch.jobs { job.run(write) }
            }
        }
    }

    /// How many steps were given up because too many waited, because the recorder was closed, or since this process was forked.
    public var dropped: Int { thread.dropped }

    /// Returns when everything that was recorded before survives the process being killed.
    @discardableResult
    public func flush() async throws -> FlushReceipt {
        await thread.flush()
        try await output.flush()
        return FlushReceipt()
    }

    /// Notes that the session has ended by itself, writes what waits and ends the thread. Later steps are dropped.
    public func close() async throws {
        let time = clock.milliseconds
        append(nil) { write in
            _ = write(
                RecordingText.object { json in
                    json.member("ended", "closed")
                    json.member("t_ms", time)
                })
        }
        await thread.flush()
        thread.closeAndWait()
        try await output.close()
    }

    // MARK: For systems

    /// Begins the recording of a system.
    func begin(system: String?) -> RecordedSession {
        state.withLock { state in
            defer { state.systems += 1 }
            var id = Array(Hexadecimal.text(state.random.next(), digits: 16) + Hexadecimal.text(state.random.next(), digits: 16))
            // A random UUID (RFC 9562, version 4).
            id[12] = "4"
            id[16] = ["8", "9", "a", "b"][Int(state.random.next() & 3)]
            for index in [20, 16, 12, 8] { id.insert("-", at: index) }
            return RecordedSession(id: String(id), system: system, app: app, isBeside: state.systems > 0)
        }
    }

    /// Whether something may be recorded, and how often recording was interrupted.
    var permission: (isGranted: Bool, interruptions: Int) { state.withLock { ($0.consent != .denied, $0.interruptions) } }

    /// Notes that an event is taken: what is tracked before the next one comes of it.
    func noteTaken(_ number: Int, by system: String?) { state.withLock { $0.taken[system ?? ""] = number } }

    /// Writes the line of an event that was taken, before anything else is done with it where the output can.
    ///
    /// - Returns: whether it was kept.
    func write(event line: String) -> Bool {
        if let write = output.writeAtOnce { return write(line) }
        thread.append(Job(session: nil) { _ = $0(line) }, isKept: true)
        return true
    }

    /// Has something written on the thread, in order.
    ///
    /// - Parameters:
    ///   - session: that of a step, which may be given up; `nil` for what is kept.
    ///   - atOnce: here and now, where the output can; nothing of the session may wait.
    func append(
        _ session: RecordedSession?, number: Int = 0, atOnce: Bool = false, _ run: @escaping @Sendable (_ write: (String) -> Bool) -> Void
    ) {
        if atOnce, let write = output.writeAtOnce { return run(write) }
        thread.append(Job(session: session, number: number, run: run), isKept: session == nil)
    }

    // MARK: A sink

    /// Notes what was tracked, with the event that the system of its name took last: where middleware tracks, that is what led to it. Sensitive
    /// values are left out.
    public func record(_ event: StampedEvent) {
        let (isDenied, step) = state.withLock { ($0.consent == .denied, $0.taken[event.system ?? ""]) }
        if isDenied { return }
        append(nil) { write in
            guard let line = EventLineEncoder().line(of: event), let tree = line.withUnsafeBytes({ RecordedValue.parse($0) }) else {
                return
            }
            _ = write(
                RecordingText.object { json in
                    json.member("tracked", event.event.name)
                    if let step { json.member("by", step) }
                    for (name, key) in [("session", "session"), ("seq", "seq"), ("props", "props")] as [(StaticString, String)] {
                        guard let value = tree[key] else { continue }
                        json.key(name)
                        json.value { value.append(to: $0) }
                    }
                })
        }
    }

    /// While consent is denied, nothing is recorded. When it is granted again, each recording goes on with a head.
    public func setConsent(_ consent: TrackingConsent) {
        state.withLock { state in
            if consent != .denied && state.consent == .denied { state.interruptions += 1 }
            state.consent = consent
        }
        output.setConsent(consent)
    }

    /// Removes the recordings, also those of earlier sessions.
    public func erase(completion: @escaping @Sendable ((any Error)?) -> Void) {
        state.withLock { $0.interruptions += 1 }
        output.erase(completion)
    }
}

extension StepClock {
    /// The time that the calling thread has worked: a recorder that has to wait for a processor costs nobody anything.
    package static let processorTime = StepClock {
        var now = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
        return UInt64(now.tv_sec) &* 1_000_000_000 &+ UInt64(now.tv_nsec)
    }
}
