public import LoopCore

extension Middleware {
    /// Writes the events of a session as lines, from which ``LoopCore/System/replay(from:events:states:isolation:)`` makes the same states again.
    ///
    /// ```swift
    /// let system = System(initialState: .start, reducer: Shop.reduce).attach(.record(to: .files(files), events: coder))
    /// ```
    /// Attach it before the first event: a recording that begins later cannot be replayed. An event stands in it when it has ended, in the order of the
    /// numbers. One that failed or was cancelled changed nothing, and the line says so.
    ///
    /// With a coder for states every line holds the state that was reached. Then a replay runs no asynchronous work but takes its results
    /// from the recording, and checks each state. Without it the work runs again, with whatever the system's dependencies are then.
    ///
    /// - Parameters:
    ///   - output: gets the lines.
    ///   - events: makes texts of events. What they hold is written as it is: sensitive values, too, unless the coder leaves them out.
    ///   - states: the same for states; `nil` writes none.
    public static func record(to output: LogOutput, events: RecordingCoder<Event>, states: RecordingCoder<State>? = nil) -> Middleware {
        Middleware { step in
            switch step.phase {
            case .loading, .effectFailed: return
            case .initial, .settled: output.write(line(of: step, events, states).text)
            }
        }
    }

    private static func line(
        of step: Step<State, Event>, _ events: RecordingCoder<Event>, _ states: RecordingCoder<State>?
    ) -> RecordingLine {
        do {
            let state = try states?.encode(step.state)
            if step.phase == .initial { return .head(after: step.number, state: state) }
            guard let event = step.event else { return RecordingLine(number: step.number, lost: "the loop did not hand over the event") }
            var line = RecordingLine(number: step.number, event: try events.encode(event), state: state)
            guard let outcome = step.outcome, !outcome.isFinished else { return line }
            line.outcome = outcome.word
            line.error = outcome.error.map { ValueWriter.text(of: $0, limit: LogValues<State, Event>.defaultLimit) }
            return line
        } catch {
            let reason = ValueWriter.text(of: error, limit: LogValues<State, Event>.defaultLimit)
            return RecordingLine(version: step.phase == .initial ? RecordingLine.version : nil, number: step.number, lost: reason)
        }
    }
}
