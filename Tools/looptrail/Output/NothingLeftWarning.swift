import Basics
import Funnels
import Reports

extension Invocation {
    /// Warns if a time range or a list of users leaves nothing of the data to count, or if a list has no effect.
    ///
    /// - Parameters:
    ///   - what: the word for what the range selects: `starts`.
    ///   - range: the time range that was asked for.
    ///   - cohort: the lists of users that the pass used: each knows whether a user of it had events.
    ///   - input: what the pass read.
    func warn(ofNothingLeftOf what: String, in range: TimeRange, of cohort: CohortFilter, _ input: InputQuality) {
        warn(ofNothingLeftOf: what, in: range, input)
        warn(ofNobodyIn: cohort, input)
    }

    /// Warns if one funnel's time range or lists of users leave nothing to count, or if a list has no effect.
    func warn(ofNothingLeftOf what: String, in funnel: FunnelDefinition, _ input: InputQuality) {
        guard let range = try? TimeRange(since: funnel.since, until: funnel.until) else { return }
        warn(ofNothingLeftOf: what, in: range, of: funnel.cohort, input)
    }

    func warn(ofNothingLeftOf what: String, in range: TimeRange, _ input: InputQuality) {
        guard let first = input.firstMilliseconds, let last = input.lastMilliseconds else { return }
        if (range.since ?? .min) <= last && (range.until ?? .max) > first { return }
        let zone = (try? zone()) ?? .utc
        console.warning(
            "no event lies in the range of \(what): the data is from \(DateFormat.second(first, in: zone)) to "
                + "\(DateFormat.second(last, in: zone)) \(zone.name)")
    }

    func warn(ofNobodyIn cohort: CohortFilter, _ input: InputQuality) {
        guard input.events > 0 else { return }
        let (only, except) = (cohort.only, cohort.except)
        if let only, !only.wasMet { console.warning("--only-users: \(only.words), and none has an event that is asked for: nobody counts") }
        if let except, !except.wasMet {
            console.warning("--not-users: \(except.words), and none has an event that is asked for: nobody is left out")
        }
        if !cohort.letSomebodyThrough, only?.wasMet ?? true, except?.wasMet == true {
            console.warning("--not-users: `\(except?.name ?? "")` leaves out everybody who has an event that is asked for: nobody counts")
        }
    }
}

extension Cohort {
    /// `` `lost.csv` lists 3 users ``.
    fileprivate var words: String { "`\(name)` lists \(countedKeys)" }
}
