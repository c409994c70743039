import Basics
import TrackingEvents

/// A line of a recording.
///
/// ```json
/// {"recording":1,"after":0,"state":"…"}
/// {"n":1,"event":"…","state":"…"}
/// {"n":2,"event":"…","outcome":"failed","error":"timeout"}
/// {"n":3,"lost":"why it could not be written"}
/// ```
/// `state` only if the recorder was given a coder for states, `outcome` only where it is not `finished`.
struct RecordingLine: Equatable {
    static let version: Int64 = 1

    /// `nil` on any but the first line.
    var version: Int64?
    /// The event's number; on the first line the number of the last event before the recording.
    var number: Int
    var event: String?
    var state: String?
    var outcome: String?
    var error: String?
    var lost: String?

    static func head(after number: Int, state: String?) -> RecordingLine { RecordingLine(version: version, number: number, state: state) }

    var text: String {
        var json = JSONWriter(capacity: 512)
        json.object { json in
            if let version { json.member("recording", version) }
            json.member(version == nil ? "n" : "after", Int64(number))
            if let event { json.member("event", event) }
            if let state { json.member("state", state) }
            if let outcome { json.member("outcome", outcome) }
            if let error { json.member("error", error) }
            if let lost { json.member("lost", lost) }
        }
        return json.text
    }

    /// `nil` for what is no line of a recording. Unknown keys are skipped.
    static func parse(_ text: String) -> RecordingLine? {
        var text = text
        return text.withUTF8 { bytes in
            let line = UnsafeRawBufferPointer(bytes)
            guard line.count < EventLineScanner.lengthLimit else { return nil }
            var found = RecordingLine(number: -1)
            var isSound = true
            do throws(BadLine) {
                var cursor = JSONCursor(line)
                try cursor.forEachEntry { key, value in
                    let text = value.text.string(in: line)
                    let number = value.kind == .number ? Int64(text) : nil
                    let string = value.kind == .string ? text : nil
                    switch key.string(in: line) {
                    case "recording": found.version = number ?? -1
                    case "n", "after": found.number = number.flatMap(Int.init(exactly:)) ?? -1
                    case "event": found.event = string
                    case "state": found.state = string
                    case "outcome": found.outcome = string
                    case "error": found.error = string
                    case "lost": found.lost = string
                    default: break
                    }
                }
                cursor.skipWhiteSpace()
                isSound = cursor.byte == nil
            } catch {
                return nil
            }
            return isSound && found.number >= 0 ? found : nil
        }
    }
}
