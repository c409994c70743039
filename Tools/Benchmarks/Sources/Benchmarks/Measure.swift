import Foundation

/// The times of several runs of the same work. A first run, to warm up, is not among them.
struct Measurement {
    let name: String
    let events: Int
    let seconds: [Double]

    var median: Double { seconds.sorted()[seconds.count / 2] }
    var eventsPerSecond: Double { Double(events) / median }
    var nanosecondsPerEvent: Double { median * 1e9 / Double(events) }
}

/// A Markdown table whose last column compares each row with `base`, or with the first row.
struct Table {
    private let title: String
    private let baseName: String
    private let base: Measurement?
    private var rows: [Measurement] = []

    /// - Parameter baseName: what the heading of the last column calls the measurement to compare with.
    init(_ title: String, comparedWith baseName: String, base: Measurement? = nil) {
        self.title = title
        self.baseName = baseName
        self.base = base
    }

    mutating func add(_ measurement: Measurement) { rows.append(measurement) }

    func show() {
        print("\n\(title)\n\n| | events/s | ns an event | of \(baseName) |\n|---|---:|---:|---:|")
        guard let first = base ?? rows.first else { return }
        for row in rows {
            let ratio = fixed(row.eventsPerSecond / first.eventsPerSecond, 2)
            print("| \(row.name) | \(thousands(row.eventsPerSecond)) | \(fixed(row.nanosecondsPerEvent)) | \(ratio) |")
        }
        // Output that goes to a file is buffered: this shows each table there as soon as it is done.
        fflush(nil)
    }
}

/// Prints whether a finding meets its target. `Benchmarks --target` fails if one does not.
@MainActor func judge(_ finding: String, target: String, isMet: Bool) {
    print("\n\(isMet ? "met" : "MISSED"): \(finding); the target is \(target)")
    if !isMet { missedTargets += 1 }
}

@MainActor var missedTargets = 0

/// A number with this many digits after the point, 1 or 2.
func fixed(_ number: Double, _ digits: Int = 1) -> String {
    if number < 0 { return "-" + fixed(-number, digits) }
    let factor = digits == 1 ? 10.0 : 100.0
    let (whole, part) = Int((number * factor).rounded()).quotientAndRemainder(dividingBy: Int(factor))
    let text = "\(part)"
    return "\(thousands(Double(whole))).\(String(repeating: "0", count: digits - text.count))\(text)"
}

func thousands(_ number: Double) -> String {
    if number < 0 { return "-" + thousands(-number) }
    var digits = Substring("\(Int(number.rounded()))")
    var groups: [Substring] = []
    while digits.count > 3 {
        groups.insert(digits.suffix(3), at: 0)
        digits = digits.dropLast(3)
    }
    return ([digits] + groups).joined(separator: ",")
}
