import Funnels

extension ConfidenceInterval {
    /// `39.1–44.2%`, the bounds of a share.
    func shareText(dash: String = "–") -> String { "\(NumberFormat.percent(lower).dropLast())\(dash)\(NumberFormat.percent(upper))" }

    /// `−13.7 to −9.9`, the bounds of a difference in points.
    func pointsText(minus: String = "−") -> String {
        "\(NumberFormat.points(lower, minus: minus)) to \(NumberFormat.points(upper, minus: minus))"
    }
}

extension ReportValue {
    /// An interval of shares; nothing where there is none.
    static func interval(_ interval: ConfidenceInterval?) -> ReportValue { interval.map { .words($0.shareText()) } ?? .none }
}
