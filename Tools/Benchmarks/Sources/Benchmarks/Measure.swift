/// The median of several runs of the same work, after one that is not counted.
struct Measurement {
    let name: String
    let events: Int
    let seconds: [Double]

    var median: Double { seconds.sorted()[seconds.count / 2] }
    var eventsPerSecond: Double { Double(events) / median }
    var nanosecondsPerEvent: Double { median * 1e9 / Double(events) }
}

/// Prints a table whose last column compares each row with the first, or with one that is named.
struct Table {
    let title: String
    private let baseName: String
    private let base: Measurement?
    private(set) var rows: [Measurement] = []

    init(_ title: String, comparedWith baseName: String = "the first", base: Measurement? = nil) {
        self.title = title
        self.baseName = baseName
        self.base = base
    }

    mutating func add(_ measurement: Measurement) { rows.append(measurement) }

    func show() {
        print("\n\(title)")
        guard let first = base ?? rows.first else { return }
        for row in rows {
            let spread = "\(milliseconds(row.seconds.min() ?? 0))–\(milliseconds(row.seconds.max() ?? 0)) ms"
            print(
                "  \(pad(row.name, 60)) \(left(thousands(row.eventsPerSecond), 12)) events/s \(left(fixed(row.nanosecondsPerEvent), 8)) ns"
                    + "  ×\(fixed(row.eventsPerSecond / first.eventsPerSecond, 2)) of \(baseName)  (\(spread))")
        }
    }
}

private func pad(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }
private func left(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) + text }

func fixed(_ number: Double, _ digits: Int = 1) -> String {
    let factor = digits == 1 ? 10.0 : 100.0
    return "\((number * factor).rounded() / factor)"
}

func milliseconds(_ seconds: Double) -> Int { Int((seconds * 1_000).rounded()) }

func thousands(_ number: Double) -> String {
    var digits = Substring("\(Int(number.rounded()))")
    var groups: [Substring] = []
    while digits.count > 3 {
        groups.insert(digits.suffix(3), at: 0)
        digits = digits.dropLast(3)
    }
    return ([digits] + groups).joined(separator: ",")
}
