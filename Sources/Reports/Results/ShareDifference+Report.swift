import Basics
package import Funnels

/// What may be said of a difference, and how it is written.
extension ShareDifference {
    /// `converts 11.8 points less than the rest, 95 % between 9.9 and 13.7.`
    package func words(than other: String) -> String {
        let isLess = value < 0
        let bounds = isLess ? (-interval.upper, -interval.lower) : (interval.lower, interval.upper)
        return "converts \(Self.points(value.magnitude)) points \(isLess ? "less" : "more") than \(other), 95 % between "
            + "\(Self.points(bounds.0)) and \(Self.points(bounds.1))."
    }

    /// `no difference that this many users could show`
    static func none(_ key: FunnelKey) -> String {
        let many =
            switch key {
            case .user, .session, .system: "\(key.description)s"
            case .property, .context: "keys"
            }
        return "no difference that this many \(many) could show"
    }

    /// `11.8`, `−0.1`: only a bound on the other side of none has a sign.
    private static func points(_ share: Double) -> String {
        let text = NumberFormat.points(share)
        return text.hasPrefix("+") ? String(text.dropFirst()) : text
    }
}

extension ConfidenceInterval {
    /// `39.1–44.2%`, the bounds of a share.
    func shareText(dash: String = "–") -> String {
        let (low, high) = (NumberFormat.percent(lower), NumberFormat.percent(upper))
        return (low.hasSuffix("%") ? String(low.dropLast()) : low) + dash + high
    }

    /// `−13.7 to −9.9`, the bounds of a difference in points.
    func pointsText(minus: String = "−") -> String {
        "\(NumberFormat.points(lower, minus: minus)) to \(NumberFormat.points(upper, minus: minus))"
    }
}

extension ReportValue {
    /// An interval of shares; nothing where there is none.
    static func interval(_ interval: ConfidenceInterval?) -> ReportValue { interval.map { .words($0.shareText()) } ?? .none }
}
