import LoopLogging

/// How states and events stand in a recording.
public struct RecordingForm<State, Event> {
    /// A value as a tree, and the paths of what is hidden in it.
    typealias Encoded = (value: RecordedValue, hidden: [String])

    /// What the head of a recording calls it: `json`, or a text of whatever form.
    let eventForm: String
    let stateForm: String
    /// Make what turns values into trees, for one system; the argument is what is hidden, `nil` for nothing at all.
    let makeEvents: ([String]?) -> (Event) throws -> Encoded
    /// `nil` records the changes as text.
    let makeStates: (([String]?) -> (State, RecordedValue?) throws -> Encoded)?

    /// Any types: what the log would write of them. Such a recording can be read and not be replayed.
    public static var text: RecordingForm {
        RecordingForm(
            eventForm: "text", stateForm: "text",
            makeEvents: { hidden in
                let values = LogValues<State, Event>(limit: 4_096).keepingPlans()
                // A text has no paths by which a part could be hidden.
                let isHiding = hidden?.isEmpty == false
                return { (.text(isHiding ? values.text(ofNameOf: $0) : values.text(ofEvent: $0)), []) }
            }, makeStates: nil)
    }

    /// Coders of your own. A text that is a JSON object or array is recorded as such, so that its changes are seen.
    ///
    /// What they write is recorded but for the hidden paths; `LogSensitive` values are theirs to leave out.
    public static func coded(events: RecordingCoder<Event>, states: RecordingCoder<State>) -> RecordingForm {
        RecordingForm(
            eventForm: "coded", stateForm: "coded",
            makeEvents: { hidden in
                let encoding = RecordingEncoding(hiding: hidden)
                return { (encoding.hiding(RecordedValue(coded: try events.encode($0))), encoding.hidden) }
            },
            makeStates: { hidden in
                let encoding = RecordingEncoding(hiding: hidden)
                return { state, _ in (encoding.hiding(RecordedValue(coded: try states.encode(state))), encoding.hidden) }
            })
    }
}

extension RecordingForm where State: Encodable, Event: Encodable {
    /// By their own `Codable`.
    public static var json: RecordingForm {
        RecordingForm(
            eventForm: "json", stateForm: "json",
            makeEvents: { hidden in
                let encoding = RecordingEncoding(hiding: hidden)
                return { (try encoding.encode($0), encoding.hidden) }
            },
            makeStates: { hidden in
                let encoding = RecordingEncoding(hiding: hidden)
                return { state, previous in (try encoding.encode(state, instead: previous), encoding.hidden) }
            })
    }
}

extension RecordedValue {
    /// A coder's text. That of an object or an array becomes one; any other stays what the coder takes back.
    init(coded text: String) {
        if let value = RecordedValue.parse(text), value.container != nil { self = value } else { self = .text(text) }
    }

    /// The text that a coder takes back.
    var coded: String { text ?? json }
}
