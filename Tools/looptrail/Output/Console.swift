import Basics
import Reports

/// Standard error, where people read messages besides the result.
struct Console: Sendable {
    /// The name before every message, such as `looptrail funnel`.
    let speaker: String
    let descriptor: Int32
    /// Whether notes and warnings are left out.
    var isQuiet = false
    /// Whether alarms may be red.
    var isColoured = false

    /// Prints that something went wrong.
    func error(_ message: String) { say(message) }

    /// Prints that a result does not pass a gate.
    func alarm(_ message: String) { say(message, paint: isColoured ? ("\u{1B}[31m", "\u{1B}[0m") : ("", "")) }

    /// Prints a caution about a result that still holds, unless ``isQuiet``.
    func warning(_ message: String) { if !isQuiet { say("warning: \(message)") } }

    /// Prints something to know, unless ``isQuiet``.
    func note(_ message: String) { if !isQuiet { say(message) } }

    /// Prints text as it is, without the name before it. It must not quote text from outside.
    func lines(_ text: String) {
        // If standard error is closed, there is no place to report that.
        try? DescriptorWriting.writeAll(text, to: descriptor)
    }

    /// Prints a message. It may quote text from outside, so control characters are made visible in each line.
    private func say(_ message: String, paint: (String, String) = ("", "")) {
        let text = message.split(separator: "\n", omittingEmptySubsequences: false)
            .map { TerminalText.visible(String($0)) }.joined(separator: "\n")
        lines("\(speaker): \(paint.0)\(text)\(paint.1)\n")
    }
}
