/// Why a recording could not be replayed, or not to its end.
public enum ReplayError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The system has taken events before, or is at work, or was stopped.
    case systemHasRun
    /// The lines do not begin with the head of a recording of this version.
    case notARecording(line: Int)
    /// The recorder was attached after so many events.
    case beganLate(after: Int)
    /// A line that is none of a recording's.
    case badLine(line: Int)
    /// An event is missing: its line is, or the recorder could not write it.
    case lost(line: Int, number: Int, reason: String)
    /// A text that the coder does not take.
    case undecodable(line: Int, number: Int, reason: String)
    /// The system came to another state than the one that was recorded. 0 is the state before the first event.
    case diverged(number: Int, expected: String, found: String)
    /// The system was stopped, or the task was cancelled, after so many events.
    case ended(after: Int)

    /// What happened, where, and what to do.
    public var description: String {
        switch self {
        case .systemHasRun: "the system has taken events already; replay into one that is fresh"
        case .notARecording(let line): "line \(line): no head of a recording of version \(RecordingLine.version)"
        case .beganLate(let number): "the recording begins after event \(number); attach the recorder before the first event"
        case .badLine(let line): "line \(line): no line of a recording; replay what stands before it"
        case .lost(let line, let number, let reason): "line \(line): event \(number) is not in the recording: \(reason)"
        case .undecodable(let line, let number, let reason): "line \(line): event \(number) cannot be decoded: \(reason)"
        case .diverged(let number, let expected, let found):
            "event \(number) led to another state than recorded: \(found) in place of \(expected); is the reducer pure and of the same version?"
        case .ended(let number): "the replay ended after event \(number): the system was stopped or the task cancelled"
        }
    }
}

/// An error of the recorded session: its text is all that is left of it.
public struct RecordedError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What the error said when it happened.
    public var description: String
}
