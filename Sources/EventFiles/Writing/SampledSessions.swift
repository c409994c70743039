import Basics
import TrackingEvents

/// The sampled sessions under way. Each segment repeats their rates at its head, so that no other file is needed to weigh its events.
struct SampledSessions {
    /// The most sessions that are repeated: those with the latest events.
    static let maxSessions = 128
    /// A session without an event for longer than this is over, in nanoseconds: 30 minutes, as trackers count.
    static let idleNanoseconds: Int64 = 30 * 60 * 1_000_000_000

    private struct Entry {
        let session: String
        let rate: Double
        var user: String?
        var lane: Lane
        /// How many lines came before the session's first on its lane; -1 if the first came on the other lane.
        var line: Int
        var seenAt: Int64
    }

    /// The session with the latest event comes last.
    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Looks at an event on its way into the ring; `line` lines came before it on its lane.
    mutating func note(_ event: StampedEvent, lane: Lane, line: Int, at now: Int64) {
        if event.kind == .meta && event.event.name == MetaEventName.sessionStarted { return began(event, lane: lane, line: line, at: now) }
        guard let index = entries.lastIndex(where: { $0.session == event.session }) else { return }
        entries[index].seenAt = now
        entries[index].user = event.user
        if index < entries.count - 1 { entries.append(entries.remove(at: index)) }
    }

    private mutating func began(_ event: StampedEvent, lane: Lane, line: Int, at now: Int64) {
        if case .string(let previous)? = event.event.properties[MetaEventName.previousSession] {
            entries.removeAll { $0.session == previous }
        }
        guard let session = event.session, case .double(let rate)? = event.event.properties[MetaEventName.sampleRate], rate != 1 else {
            return
        }
        // An event that has to wait for room comes here more than once.
        entries.removeAll { $0.session == session }
        if entries.count == Self.maxSessions { entries.removeFirst() }
        entries.append(Entry(session: session, rate: rate, user: event.user, lane: lane, line: line, seenAt: now))
    }

    /// Consent was granted: pending sessions go on in the main lane. Lines from number `waiting` on moved there, to `line` and on.
    mutating func promote(from waiting: Int = .max, to line: Int = 0) {
        for index in entries.indices where entries[index].lane == .pending {
            let isMoved = entries[index].line >= waiting
            (entries[index].lane, entries[index].line) = (.main, isMoved ? line + entries[index].line - waiting : -1)
        }
    }

    mutating func removeAll() { entries.removeAll() }

    mutating func removeIdle(at now: Int64) { entries.removeAll { now.subtractingClamped($0.seenAt) > Self.idleNanoseconds } }

    /// The lines at the head of a new segment, for sessions with lines in earlier segments: one member at most, the latest session last.
    func head(of lane: Lane, linesBefore: Int, wall: Int64, encoder: EventLineEncoder, random: inout SeededRandom) -> ByteBuffer? {
        if entries.isEmpty { return nil }
        let lines = ByteBuffer(capacity: 256 * entries.count)
        // Pending sessions are never repeated in main segments. Main sessions may be repeated in pending ones.
        for entry in entries where entry.lane == lane ? entry.line < linesBefore : lane == .pending {
            let properties: TrackingProperties = [MetaEventName.sampleRate: .double(entry.rate), MetaEventName.repeated: true]
            let start = lines.count
            var event = StampedEvent(note: MetaEventName.sessionStarted, properties, at: wall, random: &random)
            (event.user, event.session) = (entry.user, entry.session)
            _ = encoder.append(event, to: lines)
            // Ids of users may be long: what does not fit into one member is left out.
            if lines.count > BGZF.rawLimit {
                lines.truncate(to: start)
                break
            }
        }
        return lines.count == 0 ? nil : lines
    }
}
