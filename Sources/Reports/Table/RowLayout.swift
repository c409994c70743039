/// Rows of a name, a count, a share and its bar, and at the right what else there is room for.
///
/// On a narrow terminal the bar shrinks first; then parts go, the least important first, then the bar, and at last names are cut.
struct RowLayout {
    /// Texts at the right, one a row.
    struct Part {
        /// What it is called where it has no room.
        let name: String
        let texts: [String]
        var gap = 3
        /// How many columns have to remain for the bar; else the part is left out.
        var reserve = 0
        var paint: (String) -> String = { $0 }
    }

    static let narrowestBar = 8

    let table: TableReport
    /// Of one width; stand before the names and are never cut.
    var prefixes: [String] = []
    let names: [String]
    let counts: [String]
    let shares: [Double?]
    var widestBar = 40
    /// Whether a part is left out once a more important one is, even if there is room for it.
    var goesInOrder = true
    /// The most important first.
    let parts: [Part]

    func lines(paintingNames paint: (Int, String) -> String = { $1 }) -> [String] {
        let style = table.style
        let countWidth = TerminalText.widest(counts)
        // Two blanks before the count and the share, which is `100.0%` at most.
        let room = (style.width ?? .max / 2) - TerminalText.widest(prefixes) - 2 - countWidth - 2 - 6
        let nameWidth = min(TerminalText.widest(names), max(room, 4))
        var free = room - nameWidth
        var shown: [(part: Part, width: Int)] = []
        var hidden: [String] = []
        for (part, width) in parts.map({ ($0, TerminalText.widest($0.texts)) }) where width > 0 {
            if free < width + part.gap + part.reserve || goesInOrder && !hidden.isEmpty {
                hidden.append(part.name)
            } else {
                free -= width + part.gap
                shown.append((part, width))
            }
        }
        let left = min(free - 2, widestBar)
        let bar = left >= Self.narrowestBar ? left : 0
        let rows = names.indices.map { row in
            let name = TerminalText.padded(TerminalText.cut(names[row], to: nameWidth, ellipsis: style.ellipsis), to: nameWidth)
            let share = TerminalText.rightAligned(shares[row].map(NumberFormat.percent) ?? style.dash, in: 6)
            let count = TerminalText.rightAligned(counts[row], in: countWidth)
            var line = "\(prefixes.isEmpty ? "" : prefixes[row])\(paint(row, name))  \(count)  \(share)"
            // Each text pads the one before it, so that no row ends in blanks.
            var blanks = 0
            func add(_ text: String, width: Int, gap: Int, _ paint: (String) -> String) {
                if !text.isEmpty {
                    line += String(repeating: " ", count: blanks + gap) + paint(text)
                    blanks = -gap - TerminalText.width(of: text)
                }
                blanks += gap + width
            }
            if bar > 0 { add(style.bar(shares[row] ?? 0, columns: bar), width: bar, gap: 2, style.cyan) }
            for (part, width) in shown { add(part.texts[row], width: width, gap: part.gap, part.paint) }
            return line
        }
        return rows + table.notShown((bar == 0 ? ["bars"] : []) + hidden)
    }
}
