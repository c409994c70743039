import Basics

/// Counts events by session, for the `sessions` of a `dropped` line.
package struct SessionTally: Sendable {
    /// The key that counts the events of all sessions that are not named.
    package static let others = "_other"
    /// The most sessions counted by name. With `count`, `reasons`, four reasons, `sessions` and `_other` they make 128 keys, the most on a line.
    package static let maxSessions = 120

    package private(set) var named: [String: Int] = [:]
    private var unnamed = 0

    package init() {}

    package var isEmpty: Bool { named.isEmpty && unnamed == 0 }
    package var count: Int { named.values.reduce(unnamed, +) }

    /// - Parameter session: its id. An id longer than a key may be is not named, because it could equal another one once it is cut.
    package mutating func add(_ session: String, _ more: Int = 1) {
        let hasRoom = named[session] != nil || named.count < Self.maxSessions && session.utf8.count <= EventLineLimits.stringBytes
        let isNamed = hasRoom && session != Self.others
        if isNamed { named[session] = (named[session] ?? 0).addingClamped(more) } else { unnamed = unnamed.addingClamped(more) }
    }

    package mutating func add(_ other: SessionTally) {
        unnamed += other.unnamed
        for (session, more) in other.named { add(session, more) }
    }

    /// The properties of a `dropped` line for events that are all missing for one reason.
    package func droppedProperties(_ reason: DropReason) -> TrackingProperties {
        let count = TrackingValue.int(count)
        return ["count": count, "reasons": .object([reason.rawValue: count]), "sessions": .object(properties())]
    }

    /// The counts by session, the highest first, at most `limit` by name.
    package func properties(atMost limit: Int = SessionTally.maxSessions) -> TrackingProperties {
        let sorted = named.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let others = sorted.dropFirst(limit).reduce(unnamed) { $0.addingClamped($1.value) }
        let entries = sorted.prefix(limit).map { ($0.key, TrackingValue.int(min(Int64($0.value), EventLineLimits.integerMagnitude))) }
        return TrackingProperties(entries + (others > 0 ? [(Self.others, .int(min(Int64(others), EventLineLimits.integerMagnitude)))] : []))
    }
}
