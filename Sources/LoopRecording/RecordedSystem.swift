import Basics
import LoopCore
import LoopLogging
import TrackingEvents

/// What is the same in all lines of one system's recording.
struct RecordedSession: Sendable {
    let id: String
    let system: String?
    let app: [String: String]
    /// The id in each of its lines; `nil` for the recorder's first system: lines without an id are its own.
    let lineID: String?
    let clock: WallClock
    let stopwatch: StepClock

    func line(_ members: (inout JSONWriter) -> Void) -> String {
        JSONWriter.line { json in
            if let lineID { json.member("id", lineID) }
            members(&json)
        }
    }

    func lost(_ count: Int, from number: Int) -> String {
        line { json in
            json.member("lost", count)
            json.member("from", number)
            json.member("reason", "overflow")
        }
    }
}

/// The loop's side of a recording: it writes each event when the event is taken, and hands over what became of it.
final class RecordedSystem<State, Event> {
    private let recorder: Recorder
    private let session: RecordedSession
    private let coding: RecordingCoder<Event>
    private let encoding: RecordingEncoding
    private let values = LogValues<State, Event>().keepingLayouts()
    private let states: RecordedStates<State, Event>
    /// The recorder's count of interruptions when the last step was recorded; `nil` while nothing may be recorded.
    private var interruptions: Int?
    /// The last step that was not recorded, with the state that a recording can go on from.
    private var unrecorded: Step<State, Event>?
    /// How many events found no room, and the number of the first of them.
    private var lost: (count: Int, from: Int)?
    /// The numbers of the events that came here, in runs, with how much lower they are in the recording. The recorder of a part does not get
    /// each event, and what a reader finds missing has to be lost.
    private var runs = [(numbers: 0..<1, shift: 0)]
    /// The number of the last event that was taken while recording was permitted.
    private var lastTaken = 0
    /// Whether the next state needs a head, because events before it are missing.
    private var isHeadDue = false

    init(_ recorder: Recorder, _ form: RecordingForm<State, Event>, hiding hidden: [String]?, system: String?) {
        self.recorder = recorder
        session = recorder.begin(system: system)
        coding = form.events
        encoding = RecordingEncoding(hiding: hidden)
        states = RecordedStates(session, form, hiding: hidden)
        recorder.repeatHead(of: session) { [weak states] in states?.writeHead(to: $0) }
    }

    deinit { recorder.end(session) }

    /// Called after middleware that does not ask for its own time, so after most that is tracked during the step.
    func step(_ reported: Step<State, Event>) {
        var step = reported
        if step.phase == .initial && lastTaken == 0 { runs = [(0..<step.number + 1, 0)] }
        step.number = [.initial, .effectFailed].contains(step.phase) ? number(of: step.number) ?? lastTaken : place(step.number)
        // What is attached after the recorder tracks the first state, too. What is replayed was recorded when it happened.
        guard let count = recorder.permission(for: session, at: step.phase == .initial ? 0 : nil), !step.isReplay else {
            (interruptions, unrecorded) = (nil, step)
            return
        }
        if step.phase == .effectFailed { return }
        // Written at once if the output can: the next event may crash the program, and its line is worth nothing without a head.
        if step.phase == .initial { return goOn(from: step, count, atOnce: lastTaken == 0) }
        // Some of other libraries' loops report steps only, or states only.
        if step.number > lastTaken {
            taken(reported.number, step.event, step.origin, by: nil)
            recorder.permission(for: session)
        }
        let isHeadDue = isHeadDue || count != interruptions
        (interruptions, unrecorded, self.isHeadDue) = (count, nil, false)
        // Safe because the types are `Sendable`, or by the promise of `record(uncheckedTo:)`.
        nonisolated(unsafe) let numbered = step
        recorder.append(session, step: step.number, isKept: isHeadDue) { [states] in states.write(numbered, isHeadDue, to: $0) }
    }

    private func goOn(from step: Step<State, Event>, _ count: Int, atOnce: Bool = false) {
        (interruptions, unrecorded) = (count, nil)
        // As above.
        nonisolated(unsafe) let step = step
        recorder.append(nil, isKept: true, atOnce: atOnce) { [states] in states.begin(at: step.number, step.state, to: $0) }
    }

    /// The number of an event that came here; one that is new gets the next.
    private func place(_ number: Int) -> Int {
        if let known = self.number(of: number) { return known }
        let last = runs[runs.count - 1]
        if number != last.numbers.upperBound { runs.append((number..<number, last.shift + number - last.numbers.upperBound)) }
        if runs.count > 256 { runs.removeFirst() }
        let (numbers, shift) = runs.removeLast()
        runs.append((numbers.lowerBound..<number + 1, shift))
        return number - shift
    }

    /// The number that an event has in the recording; `nil` for one that did not come here, or before the last 255 holes.
    private func number(of number: Int) -> Int? { runs.last { $0.numbers.contains(number) }.map { number - $0.shift } }

    func taken(_ number: Int, _ event: Event?, _ origin: SendOrigin?, by cause: SendCause?) {
        let number = place(number)
        guard let count = recorder.permission(for: session, at: number) else { return }
        lastTaken = number
        if let unrecorded { goOn(from: unrecorded, count) }
        if interruptions == nil { return }
        let line = session.line { json in
            json.member("n", number)
            json.member("t_ms", session.clock.milliseconds)
            if let cause, let number = self.number(of: cause.number) {
                json.member("by", number)
                if let feedback = cause.feedback { json.member("via", feedback) }
            }
            if let origin { json.member("at", origin.description) }
            json.member("name", event.map(values.text(ofNameOf:)) ?? "state")
            guard let event else { return json.member("unwritten", "the library reports no event") }
            do {
                let value = try coding.encode(event, encoding, nil)
                if !encoding.hidden.isEmpty { json.member("hidden", encoding.hidden) }
                json.member("event", value)
            } catch {
                json.member("unwritten", encoding.text(of: error, by: values))
            }
        }
        if let (count, first) = lost, recorder.write(event: session.lost(count, from: first)) { (lost, isHeadDue) = (nil, true) }
        // No reader takes a line of a mebibyte or more.
        let isKept = line.utf8.count < 1 << 20 && recorder.write(event: line)
        if !isKept { lost = ((lost?.count ?? 0) + 1, lost?.from ?? number) }
    }

    /// `{"effect":7,"by":812,"via":"load","t_ms":…}`, and at the end `{"effect":7,"t_ms":…,"ns":…,"outcome":"finished"}`.
    func effect(_ notice: EffectNotice<Event>) {
        guard let number = number(of: notice.number) else { return }
        // While an event's work runs, no thread is at its step. Its last step follows the end of the work, perhaps on another thread.
        if notice.source == .next { recorder.permission(for: session, at: notice.outcome == nil ? nil : number) }
        if interruptions == nil { return }
        let line = session.line { json in
            json.member("effect", notice.id)
            if notice.outcome == nil {
                json.member("by", number)
                if case .effect(let name) = notice.source { json.member("via", name) }
            }
            json.member("t_ms", session.clock.milliseconds)
            guard let outcome = notice.outcome else { return }
            json.member("ns", notice.duration)
            json.member("outcome", outcome.word)
            if let error = outcome.error { json.member("error", values.text(ofError: error)) }
        }
        recorder.append(session) { _ = $0(line) }
    }
}

/// The thread's side of a recording: it writes what became of each event. `@unchecked Sendable`: only the first ``begin(at:_:to:)``, before
/// any step, may run elsewhere than on the recorder's thread.
private final class RecordedStates<State, Event>: @unchecked Sendable {
    /// A new head is written once the lines since the last head have more than `bytes` bytes, and more than `heads` times that head's.
    private static var headDistance: (bytes: Int, heads: Int) { (262_144, 8) }
    /// A head above `bytes`, or a step above `nanoseconds`, makes changes texts until the next head that the distance makes due. No head
    /// and no `of` line above `bytes` is written: readers take no line of a mebibyte.
    private static var costLimit: (bytes: Int, nanoseconds: UInt64) { (1_000_000, 50_000_000) }

    private let session: RecordedSession
    private let form: RecordingForm<State, Event>
    private let hidden: [String]?
    private let encoding: RecordingEncoding
    private let values = LogValues<State, Event>().keepingLayouts()
    private let shape = RecordedShape.digest(of: State.self, Event.self)
    /// The number of the last event whose state was written.
    private var number = 0
    private var tree: RecordedValue?
    /// The last state, while changes are written as text.
    private var last: State?
    private var known: Set<String> = []
    private var bytesSinceHead = 0
    private var headBytes = 0
    /// Whether the last head could not be written: the next step tries again.
    private var isHeadLost = false
    private var reason: String?

    init(_ session: RecordedSession, _ form: RecordingForm<State, Event>, hiding hidden: [String]?) {
        (self.session, self.form, self.hidden, encoding) = (session, form, hidden, RecordingEncoding(hiding: hidden))
    }

    /// Writes a head with the state that an event led to.
    func begin(at number: Int, _ state: State, to write: (String) -> Bool) {
        (self.number, last, tree) = (number, state, nil)
        if let coding = form.states, reason == nil {
            do {
                tree = try coding.encode(state, encoding, nil)
                known.formUnion(encoding.hidden)
            } catch {
                reason = encoding.text(of: error, by: values)
            }
        }
        var line = head()
        if tree != nil, line.utf8.count > Self.costLimit.bytes {
            // The next try is as far away as after a head of this size: it costs as much.
            (headBytes, tree, reason) = (line.utf8.count, nil, "the state has more than \(Self.costLimit.bytes) bytes")
            line = head()
        }
        if tree != nil { last = nil }
        self.write(head: line, to: write)
    }

    /// Writes a head with the last state that was written, if there is one. A text that is only repeated puts off no state.
    func writeHead(to write: (String) -> Bool) {
        let bytes = tree == nil ? bytesSinceHead : 0
        if tree != nil || last != nil { self.write(head: head(), to: write) }
        bytesSinceHead = bytes
    }

    private func write(head: String, to write: (String) -> Bool) {
        // Behind a short head with a text, the next one may have the state again: its distance is that of a head with the state.
        (headBytes, bytesSinceHead) = (tree == nil ? max(headBytes, head.utf8.count) : head.utf8.count, 0)
        isHeadLost = head.utf8.count > Self.costLimit.bytes || !write(head)
    }

    private func head() -> String {
        JSONWriter.line { json in
            json.member("recording", 2)
            json.member("id", session.id)
            if session.lineID != nil { json.member("beside", true) }
            if let system = session.system { json.member("system", system) }
            json.member("t_ms", session.clock.milliseconds)
            json.member("after", number)
            json.member("app", RecordedValue.object(session.app.sorted { $0.key < $1.key }.map { ($0.key, .text($0.value)) }))
            json.object("types") { json in
                json.member("state", RecordedShape.name(of: State.self))
                json.member("event", RecordedShape.name(of: Event.self))
            }
            json.member("shape", shape)
            json.member("states", tree == nil ? "text" : form.states?.name)
            json.member("events", form.events.name)
            json.member("hidden", hidden.map { known.union($0).sorted() })
            if let reason { json.member("reason", reason) }
            json.member("state", tree ?? (encoding.patterns.isEmpty ? last.map { .text(values.text(ofState: $0)) } : .hidden))
        }
    }

    /// Writes what became of an event, and a head where the lines before do not lead to the state.
    func write(_ step: Step<State, Event>, _ isHeadDue: Bool, to write: (String) -> Bool) {
        let began = session.stopwatch.nanoseconds
        // Of works that overlap, an earlier one may end later. No patch leads to its state from the state of the event before it.
        let isLate = tree != nil && step.number < number
        number = max(number, step.number)
        var isHeadDue = isHeadDue || isLate
        let line = session.line { json in
            json.member("of", step.number)
            if let timing = step.timing {
                json.member("ns", [timing.queueWait, timing.reduce, timing.bindings] + (timing.effect.map { [$0] } ?? []))
            }
            if step.phase == .loading { json.member("phase", "loading") }
            if isLate { json.array("changes", [RecordedValue]()) { _, _ in } }
            if !isHeadDue { isHeadDue = !change(to: step.state, &json) }
            guard let outcome = step.outcome, !outcome.isFinished else { return }
            json.member("outcome", outcome.word)
            if let error = outcome.error { json.member("error", values.text(ofError: error)) }
        }
        bytesSinceHead += line.utf8.count + 256
        let isKept = line.utf8.count <= Self.costLimit.bytes && write(line)
        if tree != nil, session.stopwatch.nanoseconds &- began > Self.costLimit.nanoseconds {
            reason = "step \(step.number) took the recorder more than 50 ms"
            isHeadDue = true
        }
        let isFar = bytesSinceHead > max(Self.headDistance.bytes, Self.headDistance.heads * headBytes)
        // What was too slow or too large once may be neither now.
        if isFar && tree == nil { reason = nil }
        // A lost line leaves the next patch without the state that it changes.
        if isHeadDue || !isKept || isHeadLost || isFar { begin(at: number, step.state, to: write) }
    }

    /// Writes what differs from the last state; `false` if no last state is known, or the new one cannot be encoded.
    private func change(to state: State, _ json: inout JSONWriter) -> Bool {
        guard let tree, let coding = form.states else {
            guard let last else { return false }
            var changes = values.changes(from: last, to: state, max: 64)
            // The path of a change in a log does not say for certain whether the value there is hidden.
            for index in changes.shown.indices where !encoding.patterns.isEmpty {
                changes.shown[index].old = changes.shown[index].old.map { _ in LogMask.text }
                changes.shown[index].new = changes.shown[index].new.map { _ in LogMask.text }
            }
            json.changes(changes)
            self.last = state
            return true
        }
        do {
            let next = try coding.encode(state, encoding, tree)
            let new = encoding.hidden.filter { known.insert($0).inserted }
            if !new.isEmpty { json.member("hidden", new) }
            let patch = RecordedPatch(from: tree, to: next)
            if !patch.operations.isEmpty { json.member("patch", patch.operations) }
            self.tree = next
            return true
        } catch {
            reason = encoding.text(of: error, by: values)
            // For readers the tree is not known from here on.
            json.array("changes", [RecordedValue]()) { _, _ in }
            return false
        }
    }
}
