import Basics

/// What a writer found in its folder that an earlier one had left behind, and what it did about it.
public struct RecoveryResult: Sendable, Equatable, CustomStringConvertible {
    /// One file that an earlier writer had not finished.
    public struct Orphan: Sendable, Equatable {
        public enum Outcome: Sendable, Equatable {
            /// It is published, under its own name without `.open`.
            case adopted
            /// It held no whole line, or is a damaged or copied ring. It is removed; `.quarantine/` has what was unreadable, given room.
            case empty
            /// Its published file was there already, complete: only the `.open` file is removed.
            case alreadyPublished
            /// It is left as it is: a file with its published name stands there, incomplete.
            case conflict
            /// Nothing could be done yet, as with a locked device; it is tried again after the next rotation.
            case postponed(EventFileError)
        }

        /// The file's name as it was found: a segment's, or a ring's if its lines could not go to the end of an unfinished segment.
        public var name: String
        public var outcome: Outcome
        /// Whole members kept, byte for byte.
        public var members = 0
        /// Lines kept, salvaged ones and those of the ring included.
        public var lines = 0
        /// Lines that were saved from a member that was cut.
        public var salvagedLines = 0
        /// Lines that stood in no segment, only in the writer's ring: the file for lines that wait to be written.
        public var ringLines = 0
        /// Bytes of the old file that lie in no whole member, or all bytes of a ring that could not be read.
        public var tornBytes: Int64 = 0
        /// How many of these bytes are kept in `.quarantine/`.
        public var quarantinedBytes: Int64 = 0
    }

    public var orphans: [Orphan] = []
    /// Removed files that had never got their final name.
    public var removedTemporaries = 0
    /// What kept recovery from looking through the folder, if anything did.
    public var error: EventFileError?

    public init() {}

    /// What kept recovery from looking through the folder, or else the first error that postponed a file.
    var firstError: EventFileError? {
        error ?? orphans.lazy.compactMap { if case .postponed(let error) = $0.outcome { error } else { nil } }.first
    }
    /// Whether there was nothing to do.
    public var isEmpty: Bool { self == RecoveryResult() }
    public var adopted: Int { orphans.count { $0.outcome == .adopted } }
    public var members: Int { orphans.reduce(0) { $0 + $1.members } }
    public var lines: Int { orphans.reduce(0) { $0 + $1.lines } }
    public var salvagedLines: Int { orphans.reduce(0) { $0 + $1.salvagedLines } }
    public var ringLines: Int { orphans.reduce(0) { $0 + $1.ringLines } }
    public var tornBytes: Int64 { orphans.reduce(0) { $0 + $1.tornBytes } }
    public var quarantinedBytes: Int64 { orphans.reduce(0) { $0 + $1.quarantinedBytes } }

    /// As in `adopted 1 orphan, 12 members, 3,400 lines, 87 torn bytes quarantined`.
    public var description: String {
        if isEmpty { return "nothing to recover" }
        var parts = [
            "adopted \(GroupedNumber.counted(adopted, "orphan")), \(GroupedNumber.counted(members, "member")), \(GroupedNumber.counted(lines, "line"))"
        ]
        if ringLines > 0 { parts.append("\(GroupedNumber.text(Int64(ringLines))) of them from rings") }
        if tornBytes > 0 {
            let kept = quarantinedBytes == tornBytes ? "quarantined" : "of which \(GroupedNumber.text(quarantinedBytes)) quarantined"
            parts.append("\(GroupedNumber.counted(Int(tornBytes), "torn byte")) \(kept)")
        }
        let left = orphans.count { if case .postponed = $0.outcome { true } else { $0.outcome == .conflict } }
        if left > 0 { parts.append("\(GroupedNumber.counted(left, "file")) left for later") }
        if let error { parts.append("\(error)") }
        return parts.joined(separator: ", ")
    }
}
