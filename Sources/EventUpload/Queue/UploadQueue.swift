package import EventFiles
import Basics
package import TrackingEvents

/// Which segment is sent next, and when: no files, no network, no timers.
///
/// The smallest number goes first. After a failure all wait: the longer, the more failures came in a row. A segment that failed more often
/// waits longer: the others pass it. A pause is random, from 0 to a limit that doubles from 1 s to 1 h. Failures never remove a segment.
package struct UploadQueue: Sendable {
    /// The limits of the first and of the longest pause, in nanoseconds.
    package static let firstPause: Int64 = 1_000_000_000
    package static let longestPause: Int64 = 3600 * 1_000_000_000
    /// The longest pause that a server can ask for, in nanoseconds. A server with a wrong header must not silence a device for ever.
    package static let longestRetryAfter: Int64 = 86_400 * 1_000_000_000
    /// After this many failures in a row a round is over.
    package static let maxFailuresOfRound = 3

    private enum Refusal { case refused, unconfirmed }

    private struct Item {
        var segment: EventFolder.Sealed
        var failures = 0
        var notBefore: Int64 = .min
        var refusal: Refusal?
        var round = 0
        var digest: SHA256.Digest?
    }

    package enum Choice: Equatable {
        case send(SegmentName)
        case wait(until: Int64)
        case nothing
    }

    private var items: [SegmentName: Item] = [:]
    private var order: [SegmentName] = []
    private var failuresInARow = 0
    private var pausedUntil: Int64 = .min
    private var askedUntil: Int64 = .min
    private var round = 0
    private var failuresOfRound = 0
    private var isInRound = false
    private var random: SeededRandom

    package init(random: SeededRandom) { self.random = random }

    /// Takes over the segments of the folder, in the order of their numbers. What was known of a file that is the same stays known.
    package mutating func found(_ segments: [EventFolder.Sealed]) {
        var found: [SegmentName: Item] = [:]
        for segment in segments {
            let known = items[segment.name].flatMap { item in
                let status = item.segment.status
                return status.isSameFile(as: segment.status) && status.bytes == segment.status.bytes ? item : nil
            }
            found[segment.name] = known ?? Item(segment: segment)
            found[segment.name]?.segment = segment
        }
        items = found
        order = segments.map(\.name)
    }

    package mutating func remove(_ name: SegmentName) {
        items[name] = nil
        order.removeAll { $0 == name }
    }

    package func segment(_ name: SegmentName) -> EventFolder.Sealed? { items[name]?.segment }

    package subscript(digestOf name: SegmentName) -> SHA256.Digest? {
        get { items[name]?.digest }
        set { items[name]?.digest = newValue }
    }

    /// What to do at a time of the monotonic clock, in nanoseconds.
    package func next(at now: Int64) -> Choice {
        let all = order.lazy.compactMap { name in items[name].map { (name, $0) } }
        let open = all.filter { $0.1.refusal == nil && !$0.1.segment.isHeldBack }
        if isInRound {
            // A caller who asks for a round does not want to wait for the pauses of this queue. The server's wish stands.
            if failuresOfRound >= Self.maxFailuresOfRound || now < askedUntil { return .nothing }
            return open.first { $0.1.round != round }.map { .send($0.0) } ?? .nothing
        }
        let earliest = max(pausedUntil, askedUntil)
        if earliest <= now, let ready = open.first(where: { $0.1.notBefore <= now }) { return .send(ready.0) }
        return open.map { max($0.1.notBefore, earliest) }.min().map { .wait(until: $0) } ?? .nothing
    }

    package mutating func succeeded(_ name: SegmentName) {
        wentThrough(name)
        remove(name)
    }

    /// The destination has the segment, and its summary is still to be sent.
    package mutating func wentThrough(_ name: SegmentName) {
        items[name]?.failures = 0
        serverWorks()
    }

    private mutating func serverWorks() { (failuresInARow, failuresOfRound, pausedUntil) = (0, 0, .min) }

    /// A segment failed: it waits, at least as long as the server asked for. Returns how long, in nanoseconds.
    package mutating func failed(_ name: SegmentName, at now: Int64, asked: Int64?) -> Int64 {
        guard var item = items[name] else { return 0 }
        item.failures += 1
        item.round = round
        failuresInARow += 1
        failuresOfRound += 1
        if let asked { askedUntil = max(askedUntil, now.addingClamped(min(max(asked, 0), Self.longestRetryAfter))) }
        pausedUntil = now.addingClamped(pause(after: failuresInARow))
        item.notBefore = max(now.addingClamped(pause(after: item.failures)), pausedUntil, askedUntil)
        items[name] = item
        return item.notBefore.subtractingClamped(now)
    }

    /// The segment is not tried again before ``restart()``. The server works, so the others need not wait.
    package mutating func refused(_ name: SegmentName, unconfirmed isUnconfirmed: Bool = false) {
        items[name]?.refusal = isUnconfirmed ? .unconfirmed : .refused
        items[name]?.round = round
        serverWorks()
    }

    private mutating func pause(after failures: Int) -> Int64 {
        // Twelve doublings make more than an hour. Without a limit on their number the shift would overflow.
        let limit = min(Self.longestPause, Self.firstPause << Int64(min(failures - 1, 12)))
        return Int64.random(in: 0...limit, using: &random)
    }

    package mutating func restart() {
        for name in items.keys {
            items[name]?.refusal = nil
            items[name]?.notBefore = .min
        }
        (failuresInARow, pausedUntil) = (0, .min)
    }

    /// From here to ``endRound()`` each segment is tried at most once, without pauses.
    package mutating func beginRound() { (round, failuresOfRound, isInRound) = (round + 1, 0, true) }

    package mutating func endRound() { isInRound = false }

    package var refusedCount: Int { items.values.count { $0.refusal == .refused } }
    package var unconfirmedCount: Int { items.values.count { $0.refusal == .unconfirmed } }
    package var waitingCount: Int { items.values.count { $0.refusal == nil } }
    package var waitingBytes: Int64 { items.values.reduce(0) { $1.refusal == nil ? $0 + $1.segment.status.bytes : $0 } }
    /// When the oldest segment was last written, in milliseconds since 1970.
    package var oldest: Int64? { items.values.map(\.segment.status.modifiedMilliseconds).min() }
}
