import EventFiles
import Reports

/// Shows how far the reading is: at a terminal one line that is overwritten, elsewhere a new line each second.
final class ProgressLine {
    /// When progress is shown.
    enum When: String, CaseIterable {
        /// After one second, if standard output and standard error are both terminals.
        case auto
        /// From the beginning, whatever standard error is.
        case always
        case never
    }

    private let console: Console
    private let surroundings: Surroundings
    private let isTerminal: Bool
    private let columns: Int?
    /// Bytes of all files; `nil` if one is a pipe, whose length is unknown.
    private let total: Int64?
    private let start: Double
    private var nextAt: Double
    private var isShown = false
    private var last = ReadProgress()

    /// `nil` if this call shows no progress.
    init?(_ invocation: Invocation, files: [InputFile]) {
        surroundings = invocation.surroundings
        console = invocation.console
        let (output, errors) = (surroundings.standardOutput, surroundings.standardError)
        isTerminal = surroundings.isTerminal(errors) && surroundings.variable("TERM") != "dumb"
        columns = surroundings.columns(of: errors)
        total = files.allSatisfy { $0.bytes != nil } ? files.reduce(0) { $0 + ($1.bytes ?? 0) } : nil
        start = surroundings.monotonicSeconds()
        if console.isQuiet { return nil }
        switch invocation.arguments[CommonFlags.progress].flatMap(When.init) ?? .auto {
        case .never: return nil
        case .always: nextAt = start
        case .auto:
            guard surroundings.isTerminal(output), surroundings.isTerminal(errors) else { return nil }
            nextAt = start + 1
        }
    }

    /// Lets `body` work, with a progress line if the call shows one. The line ends with the work, even if that fails, so that the next text
    /// has a line of its own.
    static func during<Outcome>(
        _ invocation: Invocation, files: [InputFile], _ body: (((ReadProgress) -> Void)?) throws -> Outcome
    ) rethrows -> Outcome {
        guard let line = ProgressLine(invocation, files: files) else { return try body(nil) }
        defer { line.end() }
        return try body { line.show($0) }
    }

    /// Call it after each step of the reading. It writes ten times a second at a terminal, once a second elsewhere.
    func show(_ progress: ReadProgress) {
        last = progress
        let now = surroundings.monotonicSeconds()
        guard now >= nextAt else { return }
        nextAt = now + (isTerminal ? 0.1 : 1)
        write(at: now)
    }

    /// Removes the line at a terminal. Elsewhere writes a last line, unless none has been due so far.
    func end() {
        if isTerminal {
            if isShown { console.lines("\r\u{1B}[K") }
        } else if surroundings.monotonicSeconds() >= nextAt || isShown {
            write(at: surroundings.monotonicSeconds())
        }
    }

    private func write(at now: Double) {
        isShown = true
        var text = Self.text(last, total: total, seconds: now - start)
        guard isTerminal else { return console.lines(text + "\n") }
        // A line that wraps could not be overwritten.
        if let columns, text.utf8.count >= columns { text = String(text.prefix(max(0, columns - 1))) }
        console.lines("\r\(text)\u{1B}[K")
    }

    /// `120 MB of 460 MB (26%), 3,100,000 events/s, 4s left`
    static func text(_ progress: ReadProgress, total: Int64?, seconds: Double) -> String {
        var parts: [String] = []
        if let total, total > 0 {
            // A file that grows while it is read must not show more than 100%.
            let share = min(Double(progress.bytes) / Double(total), 1)
            parts.append("\(NumberFormat.bytes(progress.bytes)) of \(NumberFormat.bytes(total)) (\(Int(share * 100))%)")
        } else {
            parts.append(NumberFormat.bytes(progress.bytes))
        }
        if seconds > 0 { parts.append("\(NumberFormat.count(rounded(Double(progress.lines) / seconds))) events/s") }
        if let total, progress.bytes > 0, progress.bytes < total, seconds > 0 {
            let left = seconds * Double(total - progress.bytes) / Double(progress.bytes)
            parts.append("\(NumberFormat.duration((left.rounded(.up)) * 1000)) left")
        }
        return parts.joined(separator: ", ")
    }

    /// The rate, cut to two significant digits, because it is no more exact than that.
    private static func rounded(_ rate: Double) -> Int {
        guard rate.isFinite, rate < 1e15 else { return 0 }
        var (number, scale) = (Int(rate), 1)
        while number >= 100 {
            number /= 10
            scale *= 10
        }
        return number * scale
    }
}
