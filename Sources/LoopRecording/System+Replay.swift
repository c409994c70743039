public import LoopCore
import LoopLogging

/// What a replay did.
public struct ReplayResult: Sendable, Hashable {
    /// Events taken, which is the number of the last one.
    public var events = 0
    /// How many of them failed when they were recorded.
    public var failed = 0
    /// How many were cancelled.
    public var cancelled = 0
    /// How many states were compared with recorded ones, the initial one included.
    public var statesChecked = 0
}

extension System where State: Codable, Event: Codable {
    /// Takes the events of a recording again, one by one, and comes to the same states.
    ///
    /// ```swift
    /// let again = System(initialState: .start, reducer: Shop.reduce).attach(.log(.changes))
    /// try await again.replay(recording, upTo: 812)
    /// ```
    /// The system is fresh and has the reducer and the initial state of then. Bindings and middleware see every step, marked as
    /// `Step.isReplay`; tracking ignores these. Feedbacks see only the state at the end, and whatever is sent meanwhile is dropped: all that these once
    /// sent is in the recording. When this returns, the system goes on as any other.
    ///
    /// **States** are compared as they are recorded, with what is hidden masked on both sides. Where a state is not known, such as behind a hole, none is
    /// compared.
    ///
    /// **Asynchronous work.** Where the state that it led to is known, no work runs, and that state is its result. Else it
    /// runs again. An event that failed or was cancelled changes nothing and runs nothing; its step has the outcome of then, with a ``RecordedError``.
    ///
    /// On an error the events before it have been taken.
    ///
    /// - Parameters:
    ///   - recording: its last session is replayed.
    ///   - last: the number of the last event that is taken; `nil` for all of them.
    ///   - isIgnoringShape: whether types that have changed are no reason to stop.
    ///   - hidden: what stands at a path that was hidden, as JSON text; `nil` for one that it does not know.
    /// - Throws: ``ReplayError``.
    @discardableResult
    public func replay(
        _ recording: Recording, upTo last: Int? = nil, ignoringShape isIgnoringShape: Bool = false, hidden: ((String) -> String?)? = nil,
        isolation: isolated any Actor = #isolation
    ) async throws(ReplayError) -> ReplayResult {
        guard let session = recording.sessions().last else { throw .notARecording }
        let shape = RecordedShape.digest(of: State.self, Event.self)
        if !isIgnoringShape, let recorded = session.head["shape"]?.text, recorded != shape, session.head["states"]?.text == "json" {
            throw .otherShape(recorded: recorded, found: shape)
        }
        let mask = session.hiddenPatterns
        let coding = ReplayCoding<State, Event>(
            event: { try ValueDecoder.decode(from: $0) }, state: { try ValueDecoder.decode(from: $0) },
            tree: { try RecordingEncoding(hiding: mask).encode($0) }, openTree: { try RecordingEncoding(hiding: nil).encode($0) },
            hidden: { path in hidden?(path).flatMap { RecordedValue.parse($0) } })
        return try await replay(session, upTo: last, coding, isolation: isolation)
    }
}

extension System {
    /// Takes the events of a recording again that was made by coders of your own, as the replay of a `Codable` system does.
    ///
    /// - Parameters:
    ///   - recording: its last session is replayed.
    ///   - last: the number of the last event that is taken; `nil` for all of them.
    ///   - events: makes events of texts.
    ///   - states: makes states of texts; without it all work runs again and no state is compared.
    @discardableResult
    public func replay(
        _ recording: Recording, upTo last: Int? = nil, events: RecordingCoder<Event>, states: RecordingCoder<State>? = nil,
        isolation: isolated any Actor = #isolation
    ) async throws(ReplayError) -> ReplayResult {
        guard let session = recording.sessions().last else { throw .notARecording }
        let mask = RecordingEncoding(hiding: session.hiddenPatterns)
        let coding = ReplayCoding<State, Event>(
            event: { try events.decode($0.coded) }, state: states.map { states in { try states.decode($0.coded) } },
            tree: states.map { states in { mask.hiding(RecordedValue(coded: try states.encode($0))) } }, openTree: nil, hidden: { _ in nil }
        )
        return try await replay(session, upTo: last, coding, isolation: isolation)
    }

    fileprivate func replay(
        _ session: RecordedSteps, upTo last: Int?, _ coding: ReplayCoding<State, Event>, isolation: isolated any Actor
    ) async throws(ReplayError) -> ReplayResult {
        if session.head["events"]?.text == "text" { throw .onlyText }
        if session.start != 0 { throw .beganLate(after: session.start) }
        guard beginReplay(isolation: isolation) else { throw .systemHasRun }
        defer { endReplay(isolation: isolation) }
        var report = ReplayResult()
        var walk = session.states
        if let recorded = walk.state, try coding.check(state, recorded, 0) { report.statesChecked += 1 }
        for step in session.steps where step.number <= last ?? .max {
            let number = step.number
            guard number == report.events + 1 else {
                throw .lost(number: report.events + 1, reason: "the next line is that of event \(number)")
            }
            let isKnown = walk.take(step)
            let event = try coding.event(of: step)
            let past: PastOutcome<State>
            switch step.outcome {
            case "failed": past = .failed(RecordedError(description: step.ends.last?["error"]?.text ?? ""))
            case "cancelled": past = .cancelled
            // The state that work led to is made only where there was work.
            case _ where isKnown && (session.version == 1 || step.times.count > 3):
                past = try coding.past(walk.state, number, before: state)
            default: past = .unknown
            }
            await replay(event, ended: past, isolation: isolation)
            if isStopped || Task.isCancelled { throw .ended(after: report.events) }
            report.events = number
            if step.outcome == "failed" { report.failed += 1 }
            if step.outcome == "cancelled" { report.cancelled += 1 }
            if isKnown, let recorded = walk.state, try coding.check(state, recorded, number) { report.statesChecked += 1 }
        }
        return report
    }
}

extension RecordedSteps {
    /// The paths that the recorder was asked to hide; `nil` where it showed even what is sensitive.
    fileprivate var hiddenPatterns: [String]? {
        if case .null? = head["hidden"] { return nil }
        return (head["hidden"]?.elements ?? []).compactMap(\.text)
    }
}

/// How a replay makes values of recorded trees, and trees of values.
private struct ReplayCoding<State, Event> {
    let event: (RecordedValue) throws -> Event
    /// `nil` where states are not looked at.
    let state: ((RecordedValue) throws -> State)?
    /// The tree as a recorder makes it.
    let tree: ((State) throws -> RecordedValue)?
    /// The tree with what a recorder hides; `nil` where nobody knows it.
    let openTree: ((State) throws -> RecordedValue)?
    let hidden: (String) -> RecordedValue?

    func event(of step: RecordedStep) throws(ReplayError) -> Event {
        let number = step.number
        if let reason = step.line["unwritten"]?.text { throw .lost(number: number, reason: reason) }
        guard var tree = step.line["event"] else { throw .lost(number: number, reason: "its line has no event") }
        for path in (step.line["hidden"]?.elements ?? []).compactMap(\.text) {
            guard let value = hidden(path) else { throw .hidden(number: number, path: path) }
            tree = RecordedPatch(replacing: path, with: value).applied(to: tree) ?? tree
        }
        return try decode(number) { try event(tree) }
    }

    /// What work led to. What is hidden in it is taken from the state before.
    func past(_ recorded: RecordedValue?, _ number: Int, before: State) throws(ReplayError) -> PastOutcome<State> {
        guard let recorded, let state else { return .unknown }
        var tree = recorded
        let paths = tree.hiddenPaths
        var open: RecordedValue?
        if !paths.isEmpty, let openTree { open = try decode(number) { try openTree(before) } }
        for path in paths {
            let known = hidden(path) ?? JSONPointer.keys(of: path).flatMap { keys in keys.reduce(open) { $0?.container?[$1] } }
            guard let known else { throw .hidden(number: number, path: path) }
            tree = RecordedPatch(replacing: path, with: known).applied(to: tree) ?? tree
        }
        let whole = tree
        return .settled(try decode(number) { try state(whole) })
    }

    /// - Returns: whether there was something to compare.
    func check(_ state: State, _ recorded: RecordedValue, _ number: Int) throws(ReplayError) -> Bool {
        guard let tree else { return false }
        let found = try decode(number) { try tree(state) }
        guard let first = RecordedPatch(from: recorded, to: found).operations.first else { return true }
        func text(_ value: RecordedValue?) -> String { value.map { LogValues<String, Event>().text(ofState: $0.json) } ?? "nothing" }
        let expected = JSONPointer.keys(of: first.path).flatMap { keys in keys.reduce(recorded as RecordedValue?) { $0?.container?[$1] } }
        throw .diverged(
            number: number, path: first.path, expected: first.kind == .add ? "nothing" : text(expected), found: text(first.value))
    }

    private func decode<Value>(_ number: Int, _ body: () throws -> Value) throws(ReplayError) -> Value {
        do { return try body() } catch {
            throw .undecodable(number: number, reason: LogValues<State, Event>().text(ofError: error))
        }
    }
}

extension RecordedValue {
    /// Where something hidden stands.
    fileprivate var hiddenPaths: [String] {
        if text == LogMask.text { return [""] }
        guard let container else { return [] }
        return container.values.enumerated().flatMap { index, value in
            value.hiddenPaths.map { "/" + JSONPointer.escaped(container.keys?[index] ?? String(index)) + $0 }
        }
    }
}

extension RecordedPatch {
    fileprivate init(replacing path: String, with value: RecordedValue) {
        operations = [Operation(kind: .replace, path: path, value: value)]
    }
}
