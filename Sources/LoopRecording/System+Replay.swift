import Basics
public import LoopCore
import LoopLogging

/// What a replay did.
public struct ReplayResult: Sendable, Hashable {
    /// Events taken, which is the number of the last one.
    public var events = 0
    /// How many states were compared with recorded ones, the initial one included.
    public var statesChecked = 0
}

extension System where State: Codable, Event: Codable {
    /// Takes the events of a recording again, one by one, and comes to the same states: see ``LoopRecording``.
    ///
    /// The system must be fresh, with the reducer and the initial state of the recorded one. Bindings and middleware see every step, marked
    /// as `Step.isReplay`; tracking ignores these steps. Feedbacks see only the state at the end, and whatever is sent meanwhile is
    /// dropped: the recording has all that was sent in its own time. When this returns, the system goes on as any other; on an error the
    /// events before it have been taken.
    ///
    /// **States** are compared where they are known; on both sides a mask stands for what is hidden.
    ///
    /// **Asynchronous work** does not run where the state that it led to is known: that state is its result. An event that failed or was
    /// cancelled changes nothing and runs nothing; its step has the recorded outcome, with a ``RecordedError``.
    ///
    /// - Parameters:
    ///   - recording: its last session of a system of this name is replayed; where there is none, its last session.
    ///   - last: the number of the last event that is taken; `nil` for all of them.
    ///   - isIgnoringShape: whether to replay even if the types have changed.
    ///   - hidden: gives what stands at a hidden path, as JSON text; `nil` for a path that it does not know.
    /// - Throws: ``ReplayError``.
    @discardableResult
    public func replay(
        _ recording: Recording, upTo last: Int? = nil, ignoringShape isIgnoringShape: Bool = false, hidden: ((String) -> String?)? = nil,
        isolation: isolated any Actor = #isolation
    ) async throws(ReplayError) -> ReplayResult {
        try await replay(recording, upTo: last, ignoringShape: isIgnoringShape, .json, .json, hidden: hidden, isolation: isolation)
    }
}

extension System {
    /// Takes the events of a recording again, as the replay of a `Codable` system does: for recordings made by coders of your own.
    ///
    /// - Parameters:
    ///   - recording: its last session of a system of this name is replayed; where there is none, its last session.
    ///   - last: the number of the last event that is taken; `nil` for all of them.
    ///   - states: makes states of texts; without it all work runs again and no state is compared.
    @discardableResult
    public func replay(
        _ recording: Recording, upTo last: Int? = nil, events: RecordingCoder<Event>, states: RecordingCoder<State>? = nil,
        isolation: isolated any Actor = #isolation
    ) async throws(ReplayError) -> ReplayResult {
        try await replay(recording, upTo: last, ignoringShape: true, events, states, hidden: nil, isolation: isolation)
    }

    private func replay(
        _ recording: Recording, upTo last: Int?, ignoringShape isIgnoringShape: Bool, _ events: RecordingCoder<Event>,
        _ states: RecordingCoder<State>?, hidden: ((String) -> String?)?, isolation: isolated any Actor
    ) async throws(ReplayError) -> ReplayResult {
        let sessions = recording.sessions()
        guard let session = sessions.last(where: { $0.system == name }) ?? sessions.last else { throw .notARecording }
        let shape = RecordedShape.digest(of: State.self, Event.self)
        if !isIgnoringShape, session.head["states"]?.text == "json", let recorded = session.head["shape"]?.text, recorded != shape {
            throw .otherShape(recorded: recorded, found: shape)
        }
        if session.head["events"]?.text == "text" { throw .onlyText }
        if session.start != 0 { throw .beganLate(after: session.start) }
        guard beginReplay(isolation: isolation) else { throw .systemHasRun }
        defer { endReplay(isolation: isolation) }
        let mask = session.head["hidden"] == .null ? nil : session.head["hidden"]?.texts ?? []
        let coding = ReplayCoding(events: events, states: states, mask: mask, masked: session.hidden, hidden: hidden)
        var report = ReplayResult()
        var walk = session.states
        if let recorded = walk.state, try coding.check(state, recorded, 0) { report.statesChecked += 1 }
        for step in session.steps where step.number <= last ?? .max {
            let number = step.number
            guard number == report.events + 1 else {
                throw .lost(number: report.events + 1, reason: "the next line is that of event \(number)")
            }
            // A loading state is not what work led to.
            let isKnown = walk.take(step) && step.ends.last?["phase"] == nil
            let event = try coding.event(of: step)
            let past: PastOutcome<State>
            switch step.outcome {
            case "failed": past = .failed(RecordedError(description: step.ends.last?["error"]?.text ?? ""))
            case "cancelled": past = .cancelled
            // The state that work led to is made only where there was work: then `ns` has a fourth number.
            case _ where isKnown && (session.version == 1 || step.ends.last?["ns"]?.elements.count ?? 0 > 3):
                past = try coding.past(walk.state, number, before: state)
            default: past = .unknown
            }
            await replay(event, ended: past, isolation: isolation)
            if isStopped || Task.isCancelled { throw .ended(after: report.events) }
            report.events = number
            // An event that was cancelled with its system kept the loading state.
            if step.outcome == "cancelled", number == session.steps.last?.number { continue }
            if isKnown, let recorded = walk.state, try coding.check(state, recorded, number) { report.statesChecked += 1 }
        }
        return report
    }
}

/// How a replay makes values of recorded trees, and trees of values.
private struct ReplayCoding<State, Event> {
    let events: RecordingCoder<Event>
    /// `nil` where states are not looked at.
    let states: RecordingCoder<State>?
    /// The paths that the recorder was asked to hide, with those of the first state's hidden parts; `nil` where it showed all.
    let mask: [String]?
    /// The paths where parts of states are hidden or cut, in any of them.
    let masked: [String]
    let hidden: ((String) -> String?)?

    func event(of step: RecordedStep) throws(ReplayError) -> Event {
        if let reason = step.line["unwritten"]?.text { throw .lost(number: step.number, reason: reason) }
        guard let tree = step.line["event"] else { throw .lost(number: step.number, reason: "its line has no event") }
        let whole = try fill(tree, at: step.line["hidden"]?.texts ?? [], from: nil, step.number)
        return try made(step.number) { try events.decode(whole) }
    }

    /// What work led to. Its hidden parts are what ``hidden`` gives, or else those of the state before; a cut text, if that begins alike.
    func past(_ recorded: RecordedValue?, _ number: Int, before: State) throws(ReplayError) -> PastOutcome<State> {
        guard let recorded, let states else { return .unknown }
        let paths = masked.filter { path in
            recorded[path: path].map { $0 == .hidden || $0.text?.utf8.count ?? 0 > RecordingEncoding.textLimit - 4 } ?? false
        }
        let encoding = RecordingEncoding(hiding: nil, textLimit: .max)
        let open = paths.isEmpty ? nil : try made(number) { try states.encode(before, encoding, nil) }
        let whole = try fill(recorded, at: paths, from: open, number)
        return .settled(try made(number) { try states.decode(whole) })
    }

    private func fill(
        _ tree: RecordedValue, at paths: [String], from open: RecordedValue?, _ number: Int
    ) throws(ReplayError) -> RecordedValue {
        var tree = tree
        for path in paths {
            let known = open?[path: path].flatMap { before in
                let cut = before.text.map { RecordedValue.text(JSONText.cut($0, to: RecordingEncoding.textLimit)) }
                return [.hidden, cut].contains(tree[path: path]) ? before : nil
            }
            guard let value = hidden?(path).flatMap(RecordedValue.parse) ?? known else { throw .hidden(number: number, path: path) }
            tree = tree.replacing(path, with: value)
        }
        return tree
    }

    /// - Returns: whether there was something to compare.
    func check(_ state: State, _ recorded: RecordedValue, _ number: Int) throws(ReplayError) -> Bool {
        guard let states else { return false }
        // Without the paths of texts that were cut, and of parts that are open in this state.
        let mask = mask?.filter { path in recorded[path: path].map { $0 == .hidden } ?? true }
        let found = try made(number) { try states.encode(state, RecordingEncoding(hiding: mask), nil) }
        guard let first = RecordedPatch(from: recorded, to: found).operations.first else { return true }
        func text(_ value: RecordedValue?) -> String { value.map { LogValues<String, Event>().text(ofState: $0.json) } ?? "nothing" }
        let path = first["path"]?.text ?? ""
        throw .diverged(number: number, path: path, expected: text(recorded[path: path]), found: text(first["value"]))
    }

    private func made<Value>(_ number: Int, _ body: () throws -> Value) throws(ReplayError) -> Value {
        do { return try body() } catch {
            throw .undecodable(number: number, reason: LogValues<State, Event>().text(ofError: error))
        }
    }
}

extension RecordedValue {
    var texts: [String] { elements.compactMap(\.text) }
}
