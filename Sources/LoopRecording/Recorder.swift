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
/// Cheap enough to be always on: an event is written when it is taken, before the reducer, in about a microsecond. So the event that
/// crashed the program is in the file. What an event changed is written by a thread of the recorder's own. Where too many changes wait for
/// that thread, the oldest are given up, and a line counts them; the events stay, so that a replay is whole. An event of a mebibyte or more
/// is not written, and a line counts it. Where a state has more than 1,000,000 bytes, or a step takes that thread more than 50 ms of
/// processor time, changes are written as text; a head says why. A later head, after 256 KiB of lines or more, tries states again.
///
/// It may serve several systems, and is a sink, too: `Tracker(to: writer, recorder)` notes what was tracked. Where such a note is given up,
/// ``dropped`` counts it and no line does. While consent is denied, nothing is recorded.
public final class Recorder: TrackingSink {
    private typealias Job = (session: RecordedSession?, step: Int?, erasures: Int, run: @Sendable (_ write: (String) -> Bool) -> Void)

    private struct State {
        var systems = 0
        /// The sessions that began, each with what writes its head again.
        var sessions: [(id: String, writeHead: @Sendable (_ write: (String) -> Bool) -> Void)] = []
        var isResumed = false
        var random: SeededRandom
        var consent = TrackingConsent.granted
        /// The steps that threads are at: at most one for each session. If a step makes another system take an event, the other system's
        /// step stands behind it. The number is 0 for what a system shows before its first event.
        var steps: [(thread: UInt, session: RecordedSession, number: Int)] = []
        /// The systems that live, by their names and their sessions' ids, each with the event that it took last.
        var living: [String?: [String: (session: RecordedSession, number: Int)]] = [:]
        /// How often recording was interrupted: whoever finds another count than before writes a head.
        var interruptions = 0
        var erasures = 0
        /// The steps that were given up and that no line counts yet, by their session's id.
        var lost: [String: (session: RecordedSession, steps: ClosedRange<Int>)] = [:]
    }

    private let thread: JobThread<Job>
    private let writeAtOnce: (@Sendable (String) -> Bool)?
    private let files: (any TrackingSink)?
    private let closeFiles: @Sendable () async throws -> Void
    private let app: [String: String]
    private let clock: WallClock
    private let stopwatch: StepClock
    private let state: Lock<State>

    /// A recorder for tests, and for outputs of your own.
    ///
    /// - Parameters:
    ///   - output: made on the recorder's thread and called there alone.
    ///   - app: what the head of each recording says of the program.
    public convenience init(
        to output: @autoclosure @escaping @Sendable () -> LogOutput, app: [String: String] = [:], clock: WallClock = .system
    ) {
        self.init(app: app, clock: clock) {
            let output = output()
            return { line in
                output.write(line)
                return true
            }
        }
    }

    /// - Parameters:
    ///   - files: are flushed and erased with the recorder, and have its consent.
    ///   - writeAtOnce: writes a line from whatever thread calls, and says whether it was kept; `nil` where the recorder's thread does.
    ///   - makeWrite: called once, on the recorder's thread; makes what writes a line there and says whether it was kept.
    package init(
        app: [String: String] = [:], clock: WallClock = .system, stopwatch: StepClock = .processorTime,
        random: SeededRandom = SeededRandom(), capacity: Int = 4_096, files: (any TrackingSink)? = nil,
        closeFiles: @escaping @Sendable () async throws -> Void = {}, writeAtOnce: (@Sendable (String) -> Bool)? = nil,
        makeWrite: @escaping @Sendable () -> (String) -> Bool
    ) {
        (self.app, self.clock, self.stopwatch, self.files) = (app, clock, stopwatch, files)
        (self.closeFiles, self.writeAtOnce) = (closeFiles, writeAtOnce)
        let state = Lock(State(random: random))
        self.state = state
        thread = JobThread(capacity: capacity, overflow: .oldest) {
            let write = makeWrite()
            return { batch in
                let lost = state.withLock { exchange(&$0.lost, with: [:]).values }
                for (session, steps) in lost { _ = write(session.lost(steps.count, from: steps.lowerBound)) }
                // What waits when the recordings are erased would be written after the erasure.
                for job in batch.jobs { job.run(state.withLock { $0.erasures } == job.erasures ? write : { _ in false }) }
            }
        }
    }

    /// How many notes were given up: of changes, effects and tracked events because too many waited, and all notes after closing or in the
    /// child of a `fork`. Events that the files did not take are counted by a line instead.
    public var dropped: Int { thread.dropped }

    /// Returns when everything that was recorded before survives the process being killed.
    @discardableResult
    public func flush() async throws -> FlushReceipt {
        await thread.flush()
        _ = try await files?.flush()
        return FlushReceipt()
    }

    /// Writes what waits and lets go of the files: see `EventFileWriter.suspend()`.
    public func suspend() async throws {
        await thread.flush()
        try await files?.suspend()
    }

    /// Goes on after ``suspend()``, in new files that begin with a head of each session.
    public func resume() {
        files?.resume()
        let (consent, sessions) = state.withLock { state in
            state.isResumed = true
            return (state.consent, state.sessions)
        }
        // The files have a new writer's name, and the lines of a writer can be read by themselves: they need a head.
        if consent != .denied { for session in sessions { append(nil, isKept: true, session.writeHead) } }
    }

    /// Notes that the session has ended by itself, writes what waits and ends the thread. Later steps are dropped.
    public func close() async throws {
        // After a resumption no head may stand before the line in its file.
        let ids: [String?] = state.withLock { state in state.isResumed ? state.sessions.map(\.id) : [] }
        for id in ids.isEmpty ? [nil] : ids {
            let line = JSONWriter.line { json in
                if let id { json.member("id", id) }
                json.member("ended", "closed")
                json.member("t_ms", clock.milliseconds)
            }
            append(nil, isKept: true) { _ = $0(line) }
        }
        await thread.flush()
        thread.closeAndWait()
        try await closeFiles()
    }

    // MARK: For systems

    func begin(system: String?) -> RecordedSession {
        state.withLock { state in
            defer { state.systems += 1 }
            // All digits are random, so that the first ones are enough to name a session.
            let id = EventID(milliseconds: Int64(bitPattern: state.random.next()), random: &state.random).description
            let session = RecordedSession(
                id: id, system: system, app: app, lineID: state.systems > 0 ? id : nil, clock: clock, stopwatch: stopwatch)
            state.living[system, default: [:]][id] = (session, 0)
            return session
        }
    }

    /// Has `writeHead` called on the thread where the files need the session's head again.
    func repeatHead(of session: RecordedSession, _ writeHead: @escaping @Sendable (_ write: (String) -> Bool) -> Void) {
        state.withLock { state in
            // Systems come and go with screens. The first one stays: it is the app's own, and its lines have no id.
            if state.sessions.count == 1_000 { state.sessions.remove(at: 1) }
            state.sessions.append((session.id, writeHead))
        }
    }

    /// Notes that this thread is at a step of the session, or, without a number, that the session's step is over.
    ///
    /// - Returns: how often recording was interrupted; `nil` while nothing may be recorded.
    @discardableResult
    func permission(for session: RecordedSession, at number: Int? = nil) -> Int? {
        state.withLock { state in
            let thread = PosixThread.current
            state.steps.removeAll { $0.session.id == session.id || number != nil && $0.number == 0 && $0.thread == thread }
            if let number {
                state.steps.append((thread, session, number))
                state.living[session.system]?[session.id]?.number = number
            }
            return state.consent == .denied ? nil : state.interruptions
        }
    }

    /// Notes that the session's system is gone.
    func end(_ session: RecordedSession) {
        state.withLock { state in
            state.steps.removeAll { $0.session.id == session.id }
            state.living[session.system]?[session.id] = nil
            if state.living[session.system]?.isEmpty == true { state.living[session.system] = nil }
        }
    }

    /// Writes the line of a taken event and says whether it was kept. Where the output can, this happens at once, before all else.
    func write(event line: String) -> Bool {
        if let writeAtOnce { return writeAtOnce(line) }
        append(nil, isKept: true) { _ = $0(line) }
        return true
    }

    /// Runs `run` on the thread, in order; with `atOnce` right here, if the output can: give it only while no job of the session waits. A
    /// job that is not kept may be given up if too many wait; if it has the number of a `step`, a line counts it then.
    func append(
        _ session: RecordedSession?, step: Int? = nil, isKept: Bool = false, atOnce: Bool = false,
        _ run: @escaping @Sendable (_ write: (String) -> Bool) -> Void
    ) {
        if atOnce, let writeAtOnce { return run(writeAtOnce) }
        let given = thread.append((session, step, state.withLock { $0.erasures }, run), isKept: isKept)
        guard let session = given?.session, let step = given?.step else { return }
        state.withLock { state in
            // Another thread may have noted a later step before.
            let noted = state.lost[session.id]?.steps ?? step...step
            state.lost[session.id] = (session, min(noted.lowerBound, step)...max(noted.upperBound, step))
        }
    }

    // MARK: A sink

    /// Notes a tracked event, without sensitive values, with its session and the event that led to it: the step's for what a middleware
    /// tracks during one, else those of the only living system of this name. What a tracker held until consent names no event.
    public func record(_ event: StampedEvent) { note(event, isOffered: false) }

    public func offer(_ event: StampedEvent) -> Bool {
        note(event, isOffered: true)
        return true
    }

    /// - Parameter isOffered: whether the event was tracked on this thread. Otherwise a tracker may have brought it from another one.
    private func note(_ event: StampedEvent, isOffered: Bool) {
        let (consent, session, number): (TrackingConsent, RecordedSession?, Int) = state.withLock { state in
            let ofName = state.steps.filter { $0.session.system == event.system }
            let own = ofName.filter { $0.thread == PosixThread.current }
            let isCertain = state.consent != .pending && (isOffered || own.count == ofName.count)
            guard isCertain, let step = own.last(where: { $0.number > 0 }) ?? own.last else {
                let only = state.living[event.system].flatMap { $0.count == 1 ? $0.first?.value : nil }
                return (state.consent, only?.session, state.consent == .pending ? 0 : only?.number ?? 0)
            }
            return (state.consent, step.session, step.number)
        }
        if consent == .denied { return }
        append(nil) { write in
            let tree = EventLineEncoder().line(of: event)?.withUnsafeBytes { RecordedValue.parse($0) }
            guard let members = tree?.members.filter({ ["session", "seq", "props"].contains($0.0) }) else { return }
            var line: [(String, RecordedValue)] = []
            if let id = session?.lineID { line.append(("id", .text(id))) }
            line.append(("tracked", .text(event.event.name)))
            if number > 0 { line.append(("by", .integer(Int64(number)))) }
            _ = write(RecordedValue.object(line + members).json)
        }
    }

    /// While consent is denied, nothing is recorded. When it is granted again, each recording goes on with a head.
    public func setConsent(_ consent: TrackingConsent) {
        state.withLock { state in
            if consent != .denied && state.consent == .denied { state.interruptions += 1 }
            state.consent = consent
        }
        files?.setConsent(consent)
    }

    /// Removes the recordings, also those of earlier sessions.
    public func erase(completion: @escaping @Sendable ((any Error)?) -> Void) {
        state.withLock { state in
            state.interruptions += 1
            state.erasures += 1
            state.lost = [:]
        }
        if let files { files.erase(completion: completion) } else { completion(nil) }
    }
}

extension StepClock {
    /// The processor time of the calling thread: a recorder that has to wait for a processor costs nobody anything.
    package static let processorTime = StepClock { UInt64(systemNanoseconds(CLOCK_THREAD_CPUTIME_ID)) }
}
