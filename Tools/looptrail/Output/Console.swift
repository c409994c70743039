import Basics
import Reports

/// Standard error: what people read besides the result.
struct Console: Sendable {
    /// `looptrail funnel`, before every message.
    let speaker: String
    let descriptor: Int32
    /// Whether notes and warnings are left out.
    var isQuiet = false

    /// Something went wrong.
    func error(_ message: String) { say(message) }

    /// The result stands, with something to know about it.
    func warning(_ message: String) {
        if !isQuiet { say("warning: \(message)") }
    }

    /// Something to know.
    func note(_ message: String) {
        if !isQuiet { say(message) }
    }

    /// Lines of our own making, as they are.
    func lines(_ text: String) {
        // A closed standard error leaves nobody to read about it.
        try? DescriptorWriting.writeAll(text, to: descriptor)
    }

    /// Whatever a message quotes was given by somebody; each of its lines is made harmless.
    private func say(_ message: String) {
        let text = message.split(separator: "\n", omittingEmptySubsequences: false)
            .map { TerminalText.visible(String($0)) }.joined(separator: "\n")
        lines("\(speaker): \(text)\n")
    }
}
