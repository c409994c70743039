enum TimeTicks {
    /// The most telling first, in milliseconds.
    private static let all: [Double] = [
        60_000, 3_600_000, 1000, 86_400_000, 1, 600_000, 10_000, 604_800_000, 100, 21_600_000, 10, 30_000, 300_000, 1_800_000,
        10_800_000, 2_592_000_000, 31_536_000_000, 3000, 120_000, 7_200_000, 43_200_000, 259_200_000, 300, 30, 3,
    ]
    private static let leastDistance = 0.13

    /// Marks that do not run into each other, from left to right, where `position` gives a duration its x, 0…1; `nil` off the scale.
    static func chosen(_ position: (Double) -> Double?) -> [(x: Double, value: Double)] {
        var chosen: [(x: Double, value: Double)] = []
        for tick in all {
            guard let x = position(tick), chosen.allSatisfy({ abs($0.x - x) >= leastDistance }) else { continue }
            chosen.append((x, tick))
        }
        return chosen.sorted { $0.x < $1.x }
    }
}

extension SVGCanvas {
    mutating func timeAxis(_ ticks: [(x: Double, value: Double)], y: Double) {
        line(x1: 0, y1: y, x2: 1, y2: y, kind: "axis")
        for tick in ticks {
            line(x1: tick.x, y1: y, x2: tick.x, y2: y + 5, kind: "axis")
            let anchor: Anchor = tick.x < 0.04 ? .start : tick.x > 0.96 ? .end : .middle
            text(NumberFormat.duration(tick.value), x: tick.x, y: y + 19, anchor: anchor, kind: "small")
        }
    }
}
