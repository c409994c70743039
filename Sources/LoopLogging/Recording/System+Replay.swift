public import LoopCore

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

extension System {
    /// Takes the events of a recording again, one by one, and comes to the same states.
    ///
    /// ```swift
    /// let again = System(initialState: .start, reducer: Shop.reduce).attach(.log(.changes))
    /// try await again.replay(from: lines, events: coder, states: states)
    /// ```
    /// The system is fresh and has the reducer and the initial state of then. Bindings and middleware see every step, marked as
    /// `Step.isReplay`; tracking ignores these. Feedbacks see only the state at the end, and whatever is sent meanwhile is dropped: all that these once
    /// sent is in the recording. When this returns, the system goes on as any other.
    ///
    /// **Asynchronous work.** If the states were recorded and a coder for them is given, no work runs, and its result is the recorded state. Else it
    /// runs again. An event that failed or was cancelled changes nothing and runs nothing; its step has the outcome of then, with a ``RecordedError``.
    ///
    /// On an error the events before it have been taken.
    ///
    /// - Parameters:
    ///   - lines: as ``LoopCore/Middleware/record(to:events:states:)`` wrote them. Empty ones are passed over.
    ///   - events: makes events of texts.
    ///   - states: makes states of texts. Every recorded state is compared with the one that was reached: with `==` where the
    ///     state is `Equatable`, else by its text.
    /// - Throws: ``ReplayError``.
    @discardableResult
    public func replay(
        from lines: some Sequence<String>, events: RecordingCoder<Event>, states: RecordingCoder<State>? = nil,
        isolation: isolated any Actor = #isolation
    ) async throws(ReplayError) -> ReplayResult {
        guard beginReplay(isolation: isolation) else { throw .systemHasRun }
        defer { endReplay(isolation: isolation) }
        var report = ReplayResult()
        var isHeadSeen = false
        var lineNumber = 0
        for text in lines {
            lineNumber += 1
            if text.isEmpty { continue }
            guard let line = RecordingLine.parse(text) else {
                throw isHeadSeen ? .badLine(line: lineNumber) : .notARecording(line: lineNumber)
            }
            if isHeadSeen {
                let place = LinePlace(line: lineNumber, number: report.events + 1)
                try await take(line, at: place, events, states, isolation: isolation)
                if isStopped || Task.isCancelled { throw .ended(after: report.events) }
                report.events += 1
                if line.outcome == "failed" { report.failed += 1 }
                if line.outcome == "cancelled" { report.cancelled += 1 }
            } else {
                guard line.version == RecordingLine.version else { throw .notARecording(line: lineNumber) }
                if line.number != 0 { throw .beganLate(after: line.number) }
                isHeadSeen = true
            }
            if let recorded = line.state, let states {
                try check(recorded, states, at: LinePlace(line: lineNumber, number: report.events))
                report.statesChecked += 1
            }
        }
        if !isHeadSeen { throw .notARecording(line: lineNumber) }
        return report
    }

    private func take(
        _ line: RecordingLine, at place: LinePlace, _ events: RecordingCoder<Event>, _ states: RecordingCoder<State>?,
        isolation: isolated any Actor
    ) async throws(ReplayError) {
        if line.version != nil { throw .badLine(line: place.line) }
        guard line.number == place.number else { throw place.lost("the next line is that of event \(line.number)") }
        if let reason = line.lost { throw place.lost(reason) }
        guard let text = line.event else { throw .badLine(line: place.line) }
        let event = try place.decode(text, events)
        let past: PastOutcome<State>
        switch line.outcome {
        case "failed": past = .failed(RecordedError(description: line.error ?? ""))
        case "cancelled": past = .cancelled
        default:
            if let recorded = line.state, let states { past = .settled(try place.decode(recorded, states)) } else { past = .unknown }
        }
        await replay(event, ended: past, isolation: isolation)
    }

    private func check(_ recorded: String, _ states: RecordingCoder<State>, at place: LinePlace) throws(ReplayError) {
        let expected = try place.decode(recorded, states)
        if let isEqual = Sameness.areEqual(expected, state) {
            if isEqual { return }
        } else if let found = try? states.encode(state), found == recorded {
            return
        }
        let limit = LogValues<State, Event>.defaultLimit
        throw .diverged(
            number: place.number, expected: ValueWriter.text(of: expected, limit: limit), found: ValueWriter.text(of: state, limit: limit))
    }
}

/// Where in a recording something stands.
private struct LinePlace {
    let line: Int
    let number: Int

    func lost(_ reason: String) -> ReplayError { .lost(line: line, number: number, reason: reason) }

    func decode<Value>(_ text: String, _ coder: RecordingCoder<Value>) throws(ReplayError) -> Value {
        do {
            return try coder.decode(text)
        } catch {
            throw .undecodable(line: line, number: number, reason: ValueWriter.text(of: error, limit: LogValues<Value, Value>.defaultLimit))
        }
    }
}
