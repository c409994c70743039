import Basics
import LoopCore
import LoopLogging
import TrackingEvents

/// What is the same in all heads of one system's recording.
struct RecordedSession: Sendable {
    let id: String
    let system: String?
    let app: [String: String]
    /// Whether the recorder served another system before: lines of that one carry no id, so that those of this one have to.
    let isBeside: Bool
}

/// The loop's side of a recording: it writes each event when that is taken.
final class RecordedEvents<State, Event> {
    private let session: RecordedSession
    private let recorder: Recorder
    private let encode: (Event) throws -> RecordingForm<State, Event>.Encoded
    private let values = LogValues<State, Event>().keepingPlans()
    /// Events that found no room, since the first of them.
    private var lost: (count: Int, from: Int)?
    /// Whether the states that follow stand behind a hole, so that they need a head.
    private(set) var isAfterHole = false

    init(_ recorder: Recorder, _ session: RecordedSession, _ form: RecordingForm<State, Event>, hiding hidden: [String]?) {
        self.recorder = recorder
        self.session = session
        encode = form.makeEvents(hidden)
    }

    func taken(_ number: Int, _ event: Event, _ origin: SendOrigin?, by cause: SendCause?) {
        recorder.noteTaken(number, by: session.system)
        let line = RecordingText.line(session) { json in
            json.member("n", number)
            json.member("t_ms", recorder.clock.milliseconds)
            if let cause {
                json.member("by", cause.number)
                if let feedback = cause.feedback { json.member("via", feedback) }
            }
            if let origin { json.member("at", origin.description) }
            json.member("name", values.text(ofNameOf: event))
            do {
                let (value, hidden) = try encode(event)
                if !hidden.isEmpty { json.member("hidden", hidden) }
                json.key("event")
                json.value { value.append(to: $0) }
            } catch {
                json.member("unwritten", values.text(ofError: error))
            }
        }
        if let (count, first) = lost, recorder.write(event: RecordingText.lost(session, count, from: first, reason: "overflow")) {
            lost = nil
            isAfterHole = true
        }
        if !recorder.write(event: line) { lost = ((lost?.count ?? 0) + 1, lost?.from ?? number) }
    }

    func takeHole() -> Bool {
        defer { isAfterHole = false }
        return isAfterHole
    }
}

/// The thread's side of a recording: it writes what became of each event.
///
/// `@unchecked Sendable`: after ``begin(at:_:to:)``, which no step precedes, it is used on the recorder's thread alone.
final class RecordedStates<State, Event>: @unchecked Sendable {
    /// A head stands again where the lines since the last have more bytes than this, and than so many heads.
    private static var headDistance: (bytes: Int, heads: Int) { (262_144, 8) }
    /// Where a head takes more bytes than this, which no reader of lines takes, or a step more time on the thread, only the changes are written from
    /// then on, as text.
    private static var costLimit: (bytes: Int, nanoseconds: UInt64) { (1_000_000, 50_000_000) }
    private static var shownChanges: Int { 64 }

    private let session: RecordedSession
    private let form: RecordingForm<State, Event>
    private let hidden: [String]?
    private let encode: ((State, RecordedValue?) throws -> RecordingForm<State, Event>.Encoded)?
    private let patterns: HiddenPatterns?
    private let values = LogValues<State, Event>().keepingPlans()
    private let clock: WallClock
    private let stopwatch: StepClock
    private let shape: String
    /// The last tree that was written.
    private var tree: RecordedValue?
    /// Once states are written as text: the last one.
    private var last: State?
    /// The paths that were hidden so far.
    private var known: Set<String> = []
    private var bytesSinceHead = 0
    /// Whether the last head could not be written: the next step tries again.
    private var isHeadLost = false
    private var headBytes = 0
    /// Why the states became text.
    private var reason: String?

    init(_ session: RecordedSession, _ form: RecordingForm<State, Event>, hiding hidden: [String]?, clock: WallClock, stopwatch: StepClock)
    {
        (self.session, self.form, self.hidden, self.clock, self.stopwatch) = (session, form, hidden, clock, stopwatch)
        encode = form.makeStates?(hidden)
        patterns = HiddenPatterns(hidden ?? [])
        shape = RecordedShape.digest(of: State.self, Event.self)
    }

    /// Writes a head.
    ///
    /// - Parameter number: of the event that led to the state.
    func begin(at number: Int, _ state: State, to write: (String) -> Bool) {
        var shown = RecordedValue.hidden
        tree = nil
        if let encode, reason == nil {
            do {
                let encoded = try encode(state, nil)
                tree = encoded.value
                known.formUnion(encoded.hidden)
            } catch {
                reason = values.text(ofError: error)
            }
        }
        var line = ""
        for _ in 0..<2 {
            if let tree {
                shown = tree
            } else {
                last = state
                if patterns == nil { shown = .text(values.text(ofState: state)) }
            }
            line = head(number, shown)
            if tree == nil || line.utf8.count <= Self.costLimit.bytes { break }
            (tree, reason) = (nil, "the state has more than \(Self.costLimit.bytes) bytes")
        }
        headBytes = line.utf8.count
        bytesSinceHead = 0
        isHeadLost = !write(line)
    }

    private func head(_ number: Int, _ state: RecordedValue) -> String {
        RecordingText.head(session) { json in
            json.member("t_ms", clock.milliseconds)
            json.member("after", number)
            json.key("app")
            json.object { json in
                for (key, value) in session.app.sorted(by: { $0.key < $1.key }) {
                    json.key(named: key)
                    json.string(value)
                }
            }
            json.key("types")
            json.object { json in
                json.member("state", RecordedShape.name(of: State.self))
                json.member("event", RecordedShape.name(of: Event.self))
            }
            json.member("shape", shape)
            json.member("states", tree == nil ? "text" : form.stateForm)
            json.member("events", form.eventForm)
            json.key("hidden")
            if let hidden { json.strings(Set(hidden).union(known).sorted()) } else { json.null() }
            if let reason { json.member("reason", reason) }
            json.key("state")
            json.value { state.append(to: $0) }
        }
    }

    /// Writes what became of an event.
    func write(_ step: Step<State, Event>, afterHole isAfterHole: Bool, to write: (String) -> Bool) {
        let began = stopwatch.nanoseconds
        var isHeadDue = isAfterHole
        let line = RecordingText.line(session) { json in
            json.member("of", step.number)
            if let timing = step.timing {
                json.key("ns")
                json.array([timing.queueWait, timing.reduce, timing.bindings] + (timing.effect.map { [$0] } ?? [])) {
                    $0.integer(Int64(clamping: $1))
                }
            }
            if step.phase == .loading { json.member("phase", "loading") }
            if !isHeadDue { isHeadDue = !change(to: step.state, &json) }
            guard let outcome = step.outcome, !outcome.isFinished else { return }
            json.member("outcome", outcome.word)
            if let error = outcome.error { json.member("error", values.text(ofError: error)) }
        }
        bytesSinceHead += line.utf8.count + 256
        let isKept = write(line)
        if tree != nil, stopwatch.nanoseconds &- began > Self.costLimit.nanoseconds {
            reason = "step \(step.number) took the recorder more than 50 ms"
            isHeadDue = true
        }
        // A line that is lost leaves the next patch without what it changes.
        if isHeadDue || !isKept || isHeadLost || bytesSinceHead > max(Self.headDistance.bytes, Self.headDistance.heads * headBytes) {
            begin(at: step.number, step.state, to: write)
        }
    }

    /// Writes what differs from the last state.
    ///
    /// - Returns: `false` if the state cannot be written by what stands in the lines before.
    private func change(to state: State, _ json: inout JSONWriter) -> Bool {
        guard let tree, let encode else {
            guard let last else { return false }
            json.changes(values.changes(from: last, to: state, max: Self.shownChanges).hidden(if: patterns != nil))
            self.last = state
            return true
        }
        do {
            let (next, hidden) = try encode(state, tree)
            let patch = RecordedPatch(from: tree, to: next)
            let new = hidden.filter { known.insert($0).inserted }
            if !new.isEmpty { json.member("hidden", new) }
            if !patch.operations.isEmpty {
                json.key("patch")
                json.value { patch.json.append(to: $0) }
            }
            self.tree = next
            return true
        } catch {
            reason = values.text(ofError: error)
            return false
        }
    }
}

extension LogChanges {
    /// The paths alone, where some of the values must not be seen: a path of a log does not say for certain which.
    fileprivate func hidden(if isHiding: Bool) -> LogChanges {
        var hidden = self
        for index in shown.indices where isHiding {
            hidden.shown[index].old = shown[index].old.map { _ in LogMask.text }
            hidden.shown[index].new = shown[index].new.map { _ in LogMask.text }
        }
        return hidden
    }
}

/// The frame of each line.
enum RecordingText {
    static let version: Int64 = 2

    static func head(_ session: RecordedSession, _ members: (inout JSONWriter) -> Void) -> String {
        object { json in
            json.member("recording", version)
            json.member("id", session.id)
            if session.isBeside { json.member("beside", true) }
            if let system = session.system { json.member("system", system) }
            members(&json)
        }
    }

    static func line(_ session: RecordedSession, _ members: (inout JSONWriter) -> Void) -> String {
        object { json in
            if session.isBeside { json.member("id", session.id) }
            members(&json)
        }
    }

    static func lost(_ session: RecordedSession, _ count: Int, from number: Int, reason: String) -> String {
        line(session) { json in
            json.member("lost", count)
            json.member("from", number)
            json.member("reason", reason)
        }
    }

    static func object(_ members: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter(capacity: 512)
        json.object(members)
        return json.text
    }
}

extension JSONWriter {
    mutating func strings(_ texts: [String]) { array(texts) { $0.string($1) } }

    mutating func member(_ name: StaticString, _ texts: [String]) {
        key(name)
        strings(texts)
    }
}
