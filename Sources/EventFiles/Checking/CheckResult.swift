package import TrackingEvents

/// What a check found: how sound files are and how complete.
public struct CheckResult: Sendable, Hashable {
    /// One file.
    public struct File: Sendable, Hashable {
        /// Framing, members, lines, damage.
        public var read: FileReadResult
        /// Lines that cannot be used, lines that are too long among them.
        public var badLines = 0
        /// The first ``CheckResult/exampleLimit`` of them; those that are too long stand with the damage.
        public var firstBadLines: [BadLineFound] = []
        /// Lines whose id was seen before, here or in an earlier file.
        public var duplicates = 0
        /// Sequence numbers that are missing right before a line of this file.
        public var missingSequences: Int64 = 0
        /// Lines whose time is before that of the previous line of their session, by sequence number.
        public var clockSteps = 0
    }

    /// A bad line and where it is.
    public struct BadLineFound: Sendable, Hashable {
        /// Counted from 1 over the lines of the file that could be read.
        public var lineNumber: Int
        /// Where in the file, in bytes: the beginning of the member that holds it, in a plain file the line itself.
        public var byteOffset: Int64
        package var problem: BadLine
    }

    /// Sequence numbers that are missing from a session.
    public struct Gap: Sendable, Hashable {
        public var session: String
        public var firstMissing: Int64
        public var lastMissing: Int64
        /// Whether `dropped` lines account for all that this session misses.
        public var isExplained: Bool
        /// The index in ``CheckResult/files`` of the file whose line comes after the gap.
        public var file: Int
    }

    /// What waits in a folder's `.pending/` for the person's consent. It is counted, never read.
    public struct Pending: Sendable, Hashable {
        /// The path of the `.pending` folder.
        public var path: String
        /// Segments in any state.
        public var files: Int
        public var bytes: Int64
    }

    /// The file with the highest number of one writer. A check proves the numbers below a session's highest, not what came after this file.
    public struct LastSegment: Sendable, Hashable {
        /// What all names of the writer's files begin with.
        public var writer: String
        public var path: String
        /// Whether it is still written, or was left by a process that was killed.
        public var isOpen: Bool
    }

    /// The ring of a writer that is at work, or was killed: lines that stand in no segment yet.
    public struct Ring: Sendable, Hashable {
        /// The path of the ring file.
        public var path: String
        public var lines: Int
    }

    /// What makes files unsound.
    public enum Fault: String, Sendable, Hashable, CaseIterable {
        /// A member whose data, CRC or sizes are wrong, or that is cut.
        case damagedMember
        /// Bytes outside of members, zeros too.
        case foreignBytes
        /// A blocked file that is not named `.open` and does not end with the empty member.
        case missingEndMember
        case badLine
        case duplicateID
        /// A sequence number is missing and no `dropped` line explains it.
        case unexplainedGap
        /// A session begins above 1 and no `dropped` line explains it. Only where the files are to be complete.
        case missingBeginning
    }

    /// The most bad lines of a file, and the most gaps, that are kept one by one; all are counted.
    public static let exampleLimit = 20

    public var files: [File] = []
    /// Files that were not read, because their content is in another, and rings that cannot be read.
    public var leftOut: [String] = []
    /// Files that were removed between listing and reading.
    public var gone: [String] = []
    /// Files and folders whose names are not UTF-8: nothing of them was checked, so the input is not sound.
    public var unnameable: [String] = []
    /// The `.pending` folders that hold segments, by path.
    public var pending: [Pending] = []
    /// The rings with lines in them, by path. The next writer in the folder recovers those of killed ones.
    public var rings: [Ring] = []
    /// How many summaries beside the files are whole and were made of these files.
    public var summaries = 0
    /// The other summaries beside them, by path. Nothing reads these, and ``EventFileIndexer`` makes new ones: they are no fault.
    public var uselessSummaries: [UselessSummary] = []
    public var events = 0
    public var metaLines = 0
    public var timingLines = 0
    /// Sessions with sequence numbers.
    public var sessions = 0
    /// Events that `dropped` lines count as lost. Those that were removed with a file do not count if the file is here.
    public var droppedEvents: Int64 = 0
    /// How many of them were removed with their file, to stay within limits, before anybody had taken it.
    public var removedEvents: Int64 = 0
    /// Per session, highest − lowest + 1 − distinct sequence numbers read, summed.
    public var missingSequences: Int64 = 0
    /// How many of those no `dropped` line explains.
    public var unexplainedSequences: Int64 = 0
    /// Sessions whose first number is above 1: they begin before these files.
    public var earlierSessions = 0
    /// How many numbers are missing before the first ones of these sessions.
    public var earlierSequences: Int64 = 0
    /// How many of those no `dropped` line explains.
    public var unexplainedEarlierSequences: Int64 = 0
    /// Whether a session that begins above 1 is a fault.
    public var isCompleteAsked = false
    /// The last file of each writer, by the writer's name.
    public var lastSegments: [LastSegment] = []
    /// The first ``exampleLimit`` gaps, unexplained ones first.
    public var firstGaps: [Gap] = []
    /// The largest step that a clock made backwards, in milliseconds.
    public var largestClockStep: Int64 = 0

    public var bytes: Int64 { files.reduce(0) { $0 + $1.read.bytes } }
    public var lines: Int { files.reduce(0) { $0 + $1.read.lines } }
    public var members: Int { files.reduce(0) { $0 + $1.read.members } }
    public var badLines: Int { files.reduce(0) { $0 + $1.badLines } }
    public var duplicates: Int { files.reduce(0) { $0 + $1.duplicates } }
    public var clockSteps: Int { files.reduce(0) { $0 + $1.clockSteps } }

    /// How often a fault was found.
    public func count(of fault: Fault) -> Int64 {
        func damage(_ kinds: Damage.Kind...) -> Int64 {
            files.reduce(0) { sum, file in kinds.reduce(sum) { $0 + Int64(file.read.count(of: $1)) } }
        }
        return switch fault {
        case .damagedMember: damage(.member, .cut)
        case .foreignBytes: damage(.foreignBytes)
        case .missingEndMember: damage(.missingEnd)
        case .badLine: Int64(badLines)
        case .duplicateID: Int64(duplicates)
        case .unexplainedGap: unexplainedSequences
        case .missingBeginning: isCompleteAsked ? unexplainedEarlierSequences : 0
        }
    }

    /// The kinds of fault that were found.
    public var faults: [Fault] { Fault.allCases.filter { count(of: $0) > 0 } }

    /// Whether there are files, nothing is wrong with them and everything was checked. Clock steps, framings other than the blocked one and
    /// `.open` files without an end member are no faults.
    public var isSound: Bool { !files.isEmpty && faults.isEmpty && unnameable.isEmpty }
}
