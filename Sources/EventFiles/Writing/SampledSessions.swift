import Basics
import TrackingEvents

/// The sessions under way that were sampled: their rate is told again at the head of each segment, so that a segment alone says how much
/// its events weigh.
struct SampledSessions {
    /// The most sessions that are told again; of more, those whose events are the latest.
    static let limit = 128
    /// A session without an event for longer than this is over, in nanoseconds: 30 minutes, as trackers count.
    static let idleNanoseconds: Int64 = 30 * 60 * 1_000_000_000

    private struct Entry {
        let session: String
        let rate: Double
        var user: String?
        var lane: WriterLane.Name
        /// How many lines its lane had ever had when it began: it is told again once these are past.
        var line: Int
        var seenAt: Int64
    }

    /// Those with the latest events last.
    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Looks at an event on its way into the ring. One comparison where nothing is sampled.
    @inline(__always)
    mutating func note(_ event: TrackedEvent, lane: WriterLane.Name, line: Int, at now: @autoclosure () -> Int64) {
        if event.kind == .meta && event.event.name == MetaEventName.sessionStarted {
            began(event, lane: lane, line: line, at: now())
        } else if !entries.isEmpty {
            went(on: event, at: now())
        }
    }

    private mutating func began(_ event: TrackedEvent, lane: WriterLane.Name, line: Int, at now: Int64) {
        if case .string(let previous)? = event.event.properties[MetaEventName.previousSession] {
            entries.removeAll { $0.session == previous }
        }
        guard let session = event.session, case .double(let rate)? = event.event.properties[MetaEventName.sampleRate], rate != 1 else {
            return
        }
        // It comes again if it had to wait for its place.
        entries.removeAll { $0.session == session }
        if entries.count == Self.limit { entries.removeFirst() }
        entries.append(Entry(session: session, rate: rate, user: event.user, lane: lane, line: line, seenAt: now))
    }

    private mutating func went(on event: TrackedEvent, at now: Int64) {
        guard let place = entries.lastIndex(where: { $0.session == event.session }) else { return }
        entries[place].seenAt = now
        entries[place].user = event.user
        if place < entries.count - 1 { entries.append(entries.remove(at: place)) }
    }

    /// Consent was granted: what began in the spool stands, or will stand, with the rest.
    mutating func promote(linesOfSpool spoolDone: Int, to main: Int) {
        for place in entries.indices where entries[place].lane == .spool {
            entries[place].lane = .main
            let ahead = entries[place].line - spoolDone
            entries[place].line = ahead < 0 ? -1 : main + ahead
        }
    }

    mutating func removeAll() { entries.removeAll() }

    /// What stands at the head of a new segment, oldest first.
    ///
    /// - Parameter done: how many lines of the lane are past.
    mutating func events(
        for lane: WriterLane.Name, done: Int, wall: Int64, now: Int64, random: inout SeededRandom
    ) -> [TrackedEvent] {
        entries.removeAll { now.subtractingClamped($0.seenAt) > Self.idleNanoseconds }
        var events: [TrackedEvent] = []
        // A session whose beginning is spooled is nobody's business in the folder; one that began there is known in the spool.
        for entry in entries where entry.lane == lane ? entry.line < done : lane == .spool {
            let properties: TrackingProperties = [MetaEventName.sampleRate: .double(entry.rate), MetaEventName.repeated: true]
            events.append(
                TrackedEvent(
                    timeMilliseconds: wall, event: TrackingEvent(MetaEventName.sessionStarted, properties), user: entry.user,
                    session: entry.session, id: EventID(milliseconds: wall, random: &random), kind: .meta))
        }
        return events
    }
}
