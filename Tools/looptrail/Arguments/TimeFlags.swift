import Funnels
import TrackingEvents

/// The flags that choose a time range, for commands that have no funnel.
enum TimeFlags {
    static let since = Flag(
        "since", in: .time, .moment,
        "Count only what is at or after this; in retention and paths, only what starts then; a date, a time (2026-01-15T08:30) or now-7d, "
            + "in --tz unless it has an offset",
        repetition: .refused)
    static let until = Flag(
        "until", in: .time, .moment, "Count only what is before this; in retention and paths, only what starts then; written like --since",
        example: "now-1d", repetition: .refused)

    static let all = [since.declaration, until.declaration]

    static func range(_ invocation: Invocation) throws(UsageError) -> TimeRange {
        let now = invocation.surroundings.clock.milliseconds
        let zone = try invocation.zone()
        do throws(FunnelDefinitionError) {
            return try TimeRange(
                since: invocation.arguments[since]?.milliseconds(now: now, zone: zone),
                until: invocation.arguments[until]?.milliseconds(now: now, zone: zone))
        } catch {
            throw UsageError("--since is not before --until: no time lies between the two")
        }
    }
}
