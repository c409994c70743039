import Basics

extension FunnelResult {
    /// Windows in round numbers, as people name them, shortest first.
    private static let roundWindows: [Int64] = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 4320, 10080, 20160, 43200]
        .map { $0 * 60_000 }

    /// A shorter window, in milliseconds, not longer than the data, that 99 of 100 conversions would keep to; `nil` if there is none.
    package var shorterWindow: Int64? {
        guard let ninetyNinth, let first = input.firstMilliseconds, let dataEnd else { return nil }
        let longest = min(definition.windowMilliseconds.subtractingClamped(1), dataEnd.milliseconds.subtractingClamped(first))
        return Self.roundWindows.first { Double($0) >= ninetyNinth && $0 <= longest }
    }

    package var hasNoMatureStart: Bool { definition.starts == .mature && mature.entered == 0 && mature.leftOut > 0 }

    /// Whether over a fifth of those that did not convert still have time: then the shares say little.
    package var isMostlyOpen: Bool { windowOpen * 5 > entered - converted }

    /// Whether a period of starts lies wholly in the funnel's time range and all starts in it are mature.
    package func isComplete(_ period: Range<Int64>) -> Bool {
        guard let dataEnd else { return false }
        let matureUntil = definition.matureUntil(dataEnd: dataEnd.milliseconds)
        // In a funnel of one step every start is mature: a period is complete when it is over.
        let end = matureUntil ?? (dataEnd.milliseconds == .max ? .max : dataEnd.milliseconds + 1)
        return StartRange(definition).holds(period) && period.upperBound <= end
    }
}
