public import LoopRecording

/// The result of shrinking a recording.
public struct ShrinkResult: Sendable {
    /// The events that still fail, renumbered and without states: a replay runs the work of each again.
    public var recording: Recording
    /// How many events these are.
    public var events: Int
    /// How many recordings were tried.
    public var tried: Int
    /// Whether none of the events can be left out; `false` where the time was over first.
    public var isMinimal: Bool
}

/// Why a recording cannot be made smaller.
public enum ShrinkError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The recording as it is does not fail, so nothing can be said of its parts.
    case doesNotFail(events: Int)

    public var description: String {
        switch self {
        case .doesNotFail(let events):
            "the recording of \(events) events does not fail when its work runs again; give the system stubs that answer as they did then"
        }
    }
}

extension Recording {
    /// Leaves out events for as long as what is left still fails, so that a long session becomes a test of a few lines.
    ///
    /// ```swift
    /// let small = try await recording.shrunk(limit: .seconds(60)) { candidate in await isBroken(candidate) }.recording
    /// ```
    /// Of its last session, all events are left out at once, then halves, then quarters, down to single events.
    ///
    /// - Parameters:
    ///   - limit: how long to try. The smallest recording found until then is the result.
    ///   - clock: measures the limit.
    ///   - fails: replays a recording in a fresh system and says whether it shows the fault. Run one that may crash in another process.
    /// - Throws: ``ShrinkError``, `ReplayError.notARecording`, and what `fails` throws.
    /// - Complexity: O(m log n) recordings for m events that are left of n, and a few times as many where they depend on each other.
    public func shrunk(
        limit: Duration, clock: some Clock<Duration> = ContinuousClock(), while fails: (Recording) async throws -> Bool
    ) async throws -> ShrinkResult {
        let end = clock.now.advanced(by: limit)
        guard let session = sessions().last else { throw ReplayError.notARecording }
        var kept = session.steps
        var result = ShrinkResult(recording: session.recording(of: kept), events: kept.count, tried: 1, isMinimal: false)
        guard try await fails(result.recording) else { throw ShrinkError.doesNotFail(events: kept.count) }
        var size = kept.count
        while size > 0 {
            let before = kept.count
            // The last events first: what is left out there cannot have led to others.
            for index in stride(from: kept.count, to: 0, by: -size) {
                if clock.now >= end { return result }
                let left = Array(kept[..<max(index - size, 0)] + kept[index...])
                let candidate = session.recording(of: left)
                result.tried += 1
                if try await fails(candidate) { (kept, result.recording, result.events) = (left, candidate, left.count) }
            }
            // Single events go on until none can be left out.
            size = size > 1 ? size / 2 : kept.count < before ? 1 : 0
        }
        result.isMinimal = true
        return result
    }
}

extension RecordedSteps {
    fileprivate func recording(of kept: [RecordedStep]) -> Recording {
        let numbers = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1.number, Int64($0 + 1)) })
        let events = kept.map { step in
            RecordedValue.object(
                step.line.members.compactMap { key, value in
                    switch key {
                    case "n": numbers[step.number].map { (key, .integer($0)) }
                    // A cause that is left out is not named.
                    case "by": value.integer == 0 ? (key, value) : value.integer.flatMap { numbers[$0] }.map { (key, .integer($0)) }
                    case "t_ms", "via", "at", "name", "hidden", "event", "unwritten": (key, value)
                    default: nil
                    }
                })
        }
        let head = RecordedValue.object([("recording", .integer(2))] + head.members.filter { !["recording", "beside"].contains($0.0) })
        return Recording(lines: ([head] + events).map(\.json))
    }
}
