import LoopLogging

/// How states and events stand in a recording.
public struct RecordingForm<State, Event> {
    let events: RecordingCoder<Event>
    /// `nil` records the changes as text.
    let states: RecordingCoder<State>?

    /// Any types, as the log would write them; an event is cut at 4,096 scalars. Such a recording can be read, but not replayed.
    public static var text: RecordingForm {
        let values = LogValues<State, Event>(limit: 4_096).keepingLayouts()
        let events = RecordingCoder<Event>(
            name: "text",
            // A text has no paths by which a part could be hidden.
            encode: { event, encoding, _ in .text(encoding.patterns.isEmpty ? values.text(ofEvent: event) : values.text(ofNameOf: event)) },
            decode: { _ in throw ReplayError.onlyText })
        return RecordingForm(events: events, states: nil)
    }

    /// Coders of your own. A text that is a JSON object or array is recorded as such, so that its changes are seen. What the coders write
    /// is recorded, except for the hidden paths; the coders have to leave out `LogSensitive` values.
    public static func coded(events: RecordingCoder<Event>, states: RecordingCoder<State>) -> RecordingForm {
        RecordingForm(events: events, states: states)
    }
}

extension RecordingForm where State: Codable, Event: Codable {
    /// States and events by their own `Codable`.
    public static var json: RecordingForm { RecordingForm(events: .json, states: .json) }
}
