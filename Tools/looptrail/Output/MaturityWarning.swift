import Basics
import Funnels
import Reports

extension Invocation {
    /// Warns if open windows, or events far after the others, make a result mean less than it seems to, and says what to do.
    func warn(ofOpenWindowsIn results: [FunnelResult]) {
        var told: Set<String> = []
        for end in Set(results.compactMap(\.dataEnd)).sorted(by: { $0.milliseconds < $1.milliseconds }) { warn(ofClocksBefore: end) }
        for end in Set(results.compactMap(\.hiddenEnd)).sorted(by: { $0.milliseconds < $1.milliseconds }) { warn(ofSilenceBehind: end) }
        for result in results {
            let name = result.definition.name.map { "funnel `\($0)`: " } ?? ""
            if result.hasNoMatureStart {
                let words =
                    "\(name)no start is mature, \(NumberFormat.count(result.mature.leftOut)) are left out whose window was open when the "
                    + "data ended: \(Self.remedy(of: result, "--include-open counts them"))"
                // Two compared time ranges may give the same warning.
                if told.insert(words).inserted { console.warning(words) }
            } else if result.definition.starts == .all && result.isMostlyOpen {
                let dropped = result.entered - result.converted
                console.note(
                    "\(name)\(NumberFormat.count(result.windowOpen)) of \(NumberFormat.count(dropped)) that did not convert still have time: "
                        + Self.remedy(of: result, "--mature leaves them out"))
            }
        }
    }

    /// Warns of events far after all others. The data do not end with them, so a window that ends before them may still be open.
    func warn(ofClocksBefore end: DataEnd?) {
        guard let end, let first = end.firstBehind, end.eventsBehind > 0 else { return }
        // If all events lie before 1980, the verdict on the input warns.
        if first < 315_532_800_000 || warn(ofSecondsUpTo: end.milliseconds) { return }
        let zone = (try? zone()) ?? .utc
        let isSettable = command.flags.contains { $0.name == FunnelFlags.dataEnd.declaration.name }
        console.warning(
            "\(GroupedNumber.counted(end.eventsBehind, "event")) from \(DateFormat.second(first, in: zone)) on, far after all others: "
                + "is a clock wrong? The data are taken to end with the event before, at \(DateFormat.second(end.milliseconds, in: zone))"
                + (isSettable ? "; --data-end says otherwise" : ""))
    }

    /// Warns of a long silence with few events behind it. It is longer than a day but not than the window, so the data do not end there.
    private func warn(ofSilenceBehind end: DataEnd) {
        guard let first = end.firstBehind else { return }
        let silence = NumberFormat.duration(Double(first) - Double(end.milliseconds))
        let (day, count) = (DateFormat.second(first, in: (try? zone()) ?? .utc), GroupedNumber.counted(end.eventsBehind, "event"))
        console.warning(
            "nothing came for \(silence) before \(day) (\(count) from then on): the window is longer than this silence, so the data are "
                + "not taken to end before it; --data-end sets another end")
    }

    /// Warns if a range of starts holds none of the data, or if a list of users leaves nobody or has no effect.
    func warn(ofNothingLeftIn results: [FunnelResult]) {
        var warned: Set<TimeRange> = []
        for result in results {
            let definition = result.definition
            guard let range = try? TimeRange(since: definition.since, until: definition.until), warned.insert(range).inserted else {
                continue
            }
            warn(ofNothingLeftOf: "starts", in: range, result.input)
        }
        // All funnels have the same lists of users.
        if let result = results.first { warn(ofNobodyIn: result.definition.cohort, result.input) }
    }

    /// Warns if some periods, but not all, have no mature start.
    func warn(ofEmptyPeriodsIn trend: FunnelTrend) {
        let empty = trend.points.count { $0.entered == 0 && $0.leftOut > 0 }
        guard empty > 0, !trend.whole.hasNoMatureStart else { return }
        console.warning(
            "no start of \(GroupedNumber.counted(empty, "period")) is mature: "
                + Self.remedy(of: trend.whole, "--include-open counts them"))
    }

    /// Warns if two compared time ranges overlap or differ in length.
    func warn(ofRangesIn comparison: FunnelComparison) {
        for words in comparison.cautions { console.warning(words.prefix(1).lowercased() + words.dropFirst().dropLast()) }
    }

    /// - Parameter flag: the flag that helps, and what it does, in words.
    private static func remedy(of result: FunnelResult, _ flag: String) -> String {
        let window = result.shorterWindow.map { "; --window \(DurationText.exact($0)) is enough for 99% of those that convert" } ?? ""
        return flag + window
    }
}
