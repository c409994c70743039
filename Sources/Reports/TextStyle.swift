/// What the terminal can show.
public struct TextStyle: Sendable, Hashable {
    /// Columns to stay within; `nil` for a file or a pipe, where a line is as long as it needs.
    public var width: Int?
    /// Whether bars are made of `#`, and Looptrail's own words have ASCII characters only.
    public var isASCII: Bool
    /// Whether texts are coloured and bold, by ANSI escape sequences.
    public var isColoured: Bool
    /// How long the work took, for the last line; `nil` to leave it out.
    public var elapsedSeconds: Double?
    /// The time zone in which dates and times are shown.
    public var zone = TimeZoneRules.utc

    public init(
        width: Int? = nil, isASCII: Bool = false, isColoured: Bool = false, elapsedSeconds: Double? = nil, zone: TimeZoneRules = .utc
    ) {
        (self.width, self.isASCII, self.isColoured) = (width, isASCII, isColoured)
        (self.elapsedSeconds, self.zone) = (elapsedSeconds, zone)
    }

    var minus: String { isASCII ? "-" : "−" }
    var dash: String { isASCII ? "-" : "–" }
    var dot: String { isASCII ? "-" : "·" }
    package var ellipsis: String { isASCII ? "..." : "…" }

    /// Looptrail's own words; where only ASCII is wanted, their other signs are replaced.
    package func written(_ words: String) -> String {
        guard isASCII else { return words }
        let signs = ["−": "-", "–": "-", "·": "-", "µ": "u", "…": "...", "→": "->", "∞": "inf"]
        return signs.reduce(words) { $0.replacing($1.key, with: $1.value) }
    }

    /// A name that may run from right to left, kept from turning the text beside it. It does not get wider.
    func isolated(_ text: String) -> String { isASCII ? text : BidiText.isolated(text) }

    func bold(_ text: String) -> String { isColoured ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
    func faint(_ text: String) -> String { isColoured ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
    func red(_ text: String) -> String { isColoured ? "\u{1B}[31m\(text)\u{1B}[0m" : text }
    /// A text on a blue ground out of 256 colours: the larger a share is, 0…1, the stronger the blue. White text can be read on each.
    func shaded(_ text: String, by share: Double) -> String {
        guard isColoured else { return text }
        let ground = [17, 18, 24, 25, 31, 32][Int(min(max(share, 0), 1) * 5.99)]
        return "\u{1B}[97;48;5;\(ground)m\(text)\u{1B}[0m"
    }

    func cyan(_ text: String) -> String { isColoured ? "\u{1B}[36m\(text)\u{1B}[0m" : text }

    /// A bar of `share` of `columns`, in eighths of a column. A non-zero share draws at least one eighth.
    func bar(_ share: Double, columns: Int) -> String {
        let share = min(max(share, 0), 1)
        if isASCII { return String(repeating: "#", count: max(Int(share * Double(columns)), share > 0 ? 1 : 0)) }
        let eighths = max(Int(share * Double(columns * 8)), share > 0 ? 1 : 0)
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    }

    /// Pieces of a list, a comma behind each but the last.
    func list(_ texts: [String]) -> [(text: String, gap: String)] { texts.enumerated().map { ($0 + 1 < texts.count ? $1 + "," : $1, " ") } }

    /// Sets pieces one after the other, in as many lines as the width asks for. A piece stays whole; its gap goes before it within a line.
    func flow(_ pieces: [(text: String, gap: String)]) -> [String] {
        var lines: [String] = []
        for piece in pieces {
            if let last = lines.last,
                width.map({ TerminalText.width(of: last) + TerminalText.width(of: piece.gap + piece.text) <= $0 }) ?? true
            {
                lines[lines.count - 1] = last + piece.gap + piece.text
            } else {
                lines.append((lines.isEmpty ? "" : "  ") + piece.text)
            }
        }
        return lines
    }
}
