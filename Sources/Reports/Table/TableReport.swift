import Funnels

/// Reports for people: aligned columns, bars, numbers in words.
public struct TableReport: ReportFormat {
    /// What the terminal can show.
    public let style: TextStyle

    public init(_ style: TextStyle = TextStyle()) { self.style = style }

    public var name: String { "table" }
    public var fileExtensions: [String] { ["txt"] }

    /// A text from data, fit for the terminal and no wider than `columns`; one that runs from right to left turns nothing beside it.
    func shown(_ text: String, atMost columns: Int = 60) -> String {
        style.isolated(TerminalText.cut(TerminalText.visible(text), to: columns, ellipsis: style.ellipsis))
    }

    /// A path, fit for the terminal. A long one loses its beginning: paths are told apart by their ends.
    func shown(path: String, atMost columns: Int) -> String {
        style.isolated(TerminalText.cutStart(TerminalText.visible(path), to: columns, ellipsis: style.ellipsis))
    }

    func number(_ number: Int) -> String { NumberFormat.count(Int64(number), minus: style.minus) }

    /// `10,000,000 events in 40 files (460 MB): 0 bad lines, 0 duplicates, 0 without user, 0 damaged. 2.9 s`
    func inputLines(_ input: InputQuality, key: String) -> [String] {
        let head =
            "\(NumberFormat.counted(input.events, "event")) in \(NumberFormat.counted(input.files, "file")) (\(NumberFormat.bytes(input.bytes))):"
        var counts = [
            NumberFormat.counted(input.badLines, "bad line"), NumberFormat.counted(input.duplicates, "duplicate"),
            "\(NumberFormat.count(input.withoutKey)) without \(key)", "\(NumberFormat.count(input.damagedMembers)) damaged",
        ]
        if input.sequenceGaps > 0 { counts.append("\(NumberFormat.count(input.sequenceGaps)) missing by sequence") }
        var pieces = [(head, "")]
        for (place, count) in counts.enumerated() {
            pieces.append((count + (place + 1 < counts.count ? "," : style.elapsedSeconds == nil ? "" : "."), " "))
        }
        if let seconds = style.elapsedSeconds { pieces.append((NumberFormat.seconds(seconds), " ")) }
        return style.flow(pieces)
    }

    /// `2026-01-01 – 2026-01-15 UTC`; `nil` without events.
    func range(_ input: InputQuality) -> String? {
        guard let first = input.firstMilliseconds, let last = input.lastMilliseconds else { return nil }
        return "\(DateFormat.day(first, in: style.zone)) \(style.dash) \(DateFormat.day(last, in: style.zone)) \(style.zone.name)"
    }
}
