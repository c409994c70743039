import Basics
import Reports

/// Standard error: what people read besides the result.
struct Console: Sendable {
    /// `looptrail funnel`, before every message.
    let speaker: String
    let descriptor: Int32
    /// Whether notes and warnings are left out.
    var isQuiet = false
    /// Whether what fails may stand in red.
    var isColoured = false

    /// Something went wrong.
    func error(_ message: String) { say(message) }

    /// Something that somebody set a bar for is below it.
    func alarm(_ message: String) { say(message, paint: isColoured ? ("\u{1B}[31m", "\u{1B}[0m") : ("", "")) }

    /// The result stands, with something to know about it.
    func warning(_ message: String) { if !isQuiet { say("warning: \(message)") } }

    /// Something to know.
    func note(_ message: String) { if !isQuiet { say(message) } }

    /// Lines of our own making, as they are.
    func lines(_ text: String) {
        // A closed standard error leaves nobody to read about it.
        try? DescriptorWriting.writeAll(text, to: descriptor)
    }

    /// Whatever a message quotes was given by somebody; each of its lines is made harmless.
    private func say(_ message: String, paint: (String, String) = ("", "")) {
        let text = message.split(separator: "\n", omittingEmptySubsequences: false)
            .map { TerminalText.visible(String($0)) }.joined(separator: "\n")
        lines("\(speaker): \(paint.0)\(text)\(paint.1)\n")
    }
}
