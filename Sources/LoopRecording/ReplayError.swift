/// Why a recording could not be replayed, or not to its end.
public enum ReplayError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The system has taken events before, or is at work, or was stopped.
    case systemHasRun
    /// No line is the head of a recording.
    case notARecording
    /// The recording is text for people: values cannot be made of it.
    case onlyText
    /// The types were others, or had other fields.
    case otherShape(recorded: String, found: String)
    /// The recording begins only after this many events.
    case beganLate(after: Int)
    /// An event is missing: its line is missing, or the recorder could not write the event.
    case lost(number: Int, reason: String)
    /// The coder failed on a value. `number` 0 is the initial state.
    case undecodable(number: Int, reason: String)
    /// No value was given for a part that was hidden in an event, or in a state that asynchronous work led to.
    case hidden(number: Int, path: String)
    /// The system came to another state than the one that was recorded. `number` 0 is the initial state.
    case diverged(number: Int, path: String, expected: String, found: String)
    /// The system was stopped, or the task was cancelled, after this many events.
    case ended(after: Int)

    /// What happened, where, and mostly what to do.
    public var description: String {
        switch self {
        case .systemHasRun: "the system has taken events already; replay into one that is fresh"
        case .notARecording: "no line is the head of a recording of version 1 or 2"
        case .onlyText: "the recording is text for people; one that was made without `as: .text` can be replayed"
        case .otherShape(let recorded, let found):
            "the types have the shape \(found), and those of the recording had \(recorded); replay with the version that recorded it, or with ignoringShape: true"
        case .beganLate(let number): "the recording begins after event \(number); attach the recorder before the first event"
        case .lost(let number, let reason): "event \(number) is not in the recording: \(reason); replay up to the one before it"
        case .undecodable(let number, let reason): "event \(number) cannot be decoded: \(reason)"
        case .hidden(let number, let path): "event \(number) has a hidden part at \(path); say by `hidden:` what stands there"
        case .diverged(let number, let path, let expected, let found):
            "event \(number) led to another state than recorded: at \"\(path)\" is \(found) in place of \(expected); is the reducer pure and of the same version?"
        case .ended(let number): "the replay ended after event \(number): the system was stopped or the task cancelled"
        }
    }
}

/// An error of the recorded session: its text is all that is left of it.
public struct RecordedError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What the error said when it happened.
    public var description: String
}
