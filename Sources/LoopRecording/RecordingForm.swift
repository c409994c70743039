import LoopLogging

/// How states and events stand in a recording.
public struct RecordingForm<State, Event> {
    let events: RecordedCoding<Event>
    /// `nil` records the changes as text.
    let states: RecordedCoding<State>?

    /// Any types: what the log would write of them. Such a recording can be read and not be replayed.
    public static var text: RecordingForm {
        let values = LogValues<State, Event>(limit: 4_096).keepingPlans()
        let events = RecordedCoding<Event>(
            name: "text",
            // A text has no paths by which a part could be hidden.
            encode: { event, encoding, _ in .text(encoding.patterns.isEmpty ? values.text(ofEvent: event) : values.text(ofNameOf: event)) },
            decode: { _ in throw ReplayError.onlyText })
        return RecordingForm(events: events, states: nil)
    }

    /// Coders of your own. A text that is a JSON object or array is recorded as such, so that its changes are seen.
    ///
    /// What they write is recorded but for the hidden paths; `LogSensitive` values are theirs to leave out.
    public static func coded(events: RecordingCoder<Event>, states: RecordingCoder<State>) -> RecordingForm {
        RecordingForm(events: RecordedCoding(events), states: RecordedCoding(states))
    }
}

extension RecordingForm where State: Codable, Event: Codable {
    /// By their own `Codable`.
    public static var json: RecordingForm { RecordingForm(events: .json, states: .json) }
}

/// How values of one type become trees, and values again.
struct RecordedCoding<Value> {
    /// What the head of a recording calls it.
    let name: String
    /// Makes a tree, by an encoding that knows what is hidden, and from the tree of the value before where the two are equal.
    let encode: (Value, RecordingEncoding, RecordedValue?) throws -> RecordedValue
    let decode: (RecordedValue) throws -> Value
}

extension RecordedCoding {
    init(_ coder: RecordingCoder<Value>) {
        name = "coded"
        encode = { value, encoding, _ in encoding.hiding(RecordedValue(coded: try coder.encode(value))) }
        decode = { try coder.decode($0.text ?? $0.json) }
    }
}

extension RecordedCoding where Value: Codable {
    static var json: RecordedCoding {
        RecordedCoding(
            name: "json", encode: { try $1.encode($0, instead: $2) }, decode: { try ValueDecoder(value: $0).decode(Value.self) })
    }
}

extension RecordedValue {
    /// A coder's text. That of an object or an array becomes one; any other stays what the coder takes back.
    init(coded text: String) { self = RecordedValue.parse(text).flatMap { $0.container == nil ? nil : $0 } ?? .text(text) }
}
