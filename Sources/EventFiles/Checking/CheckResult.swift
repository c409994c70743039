package import TrackingEvents

/// What a check found: whether files are sound, and whether they are complete.
public struct CheckResult: Sendable, Hashable {
    /// One file.
    public struct File: Sendable, Hashable {
        /// Framing, members, lines, damage.
        public var read: FileReadResult
        /// Lines that cannot be used, lines that are too long among them.
        public var badLines = 0
        /// The first ``CheckResult/exampleLimit`` bad lines; those that are too long are among the damage of ``read``.
        public var firstBadLines: [BadLineFound] = []
        /// Lines whose id was seen before, here or in an earlier file.
        public var duplicates = 0
        /// Sequence numbers that are missing right before a line of this file.
        public var missingSequences: Int64 = 0
        /// Lines with an earlier time than the line before them in their session, in the order of sequence numbers.
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
        /// Whether `dropped` lines explain all numbers that are missing from this session.
        public var isExplained: Bool
        /// The index in ``CheckResult/files`` of the file whose line comes after the gap.
        public var file: Int
    }

    /// The segments in a folder's `.pending/`, which wait for the person's consent. They are counted, never read.
    public struct Pending: Sendable, Hashable {
        /// The path of the `.pending` folder.
        public var path: String
        /// Segments in any state.
        public var files: Int
        public var bytes: Int64
    }

    /// The last file of one writer. A check proves only the numbers below a session's highest: files after this one may be missing.
    public struct LastSegment: Sendable, Hashable {
        /// The beginning of all names of the writer's files.
        public var writer: String
        public var path: String
        /// Whether it is still being written, or a killed process left it.
        public var isOpen: Bool
    }

    /// The ring of a writer that is at work, or was killed: it holds lines that are in no segment yet.
    public struct Ring: Sendable, Hashable {
        /// The path of the ring file.
        public var path: String
        public var lines: Int
    }

    /// A reason why files are not sound.
    public enum Fault: String, Sendable, Hashable, CaseIterable {
        /// A member whose data, CRC or sizes are wrong, or that is cut.
        case damagedMember
        /// Bytes outside of members, zeros too.
        case foreignBytes
        /// A blocked file that is not named `.open` and does not end with the empty member.
        case missingEndMember
        case badLine, duplicateID
        /// A sequence number is missing and no `dropped` line explains it.
        case unexplainedGap
        /// A session begins above 1 and no `dropped` line explains it. A fault only if ``CheckResult/isCompleteAsked``.
        case missingBeginning
    }

    /// How many bad lines of a file, and how many gaps, are kept as examples; all are counted.
    public static let exampleLimit = 20

    public var files: [File] = []
    /// Files that were not read, because their content is in another, and rings that cannot be read.
    public var leftOut: [String] = []
    /// Files that were removed between listing and reading.
    public var gone: [String] = []
    /// Files and folders whose names are not UTF-8: nothing of them was checked, so the input is not sound.
    public var unnameable: [String] = []
    /// The `.pending` folders that hold segments, sorted by path.
    public var pending: [Pending] = []
    /// The rings with lines in them, sorted by path. The next writer in the folder recovers the rings of killed writers.
    public var rings: [Ring] = []
    /// How many summaries beside the files are whole and were made of these files.
    public var summaries = 0
    /// The other summaries, sorted by path: no fault. ``EventFileIndexer`` replaces all but those that the reason says to remove.
    public var uselessSummaries: [UselessSummary] = []
    public var events = 0
    public var metaLines = 0
    public var timingLines = 0
    /// Sessions with sequence numbers.
    public var sessions = 0
    /// Events that `dropped` lines report as lost. Events that were removed with a file do not count if the file is here.
    public var droppedEvents: Int64 = 0
    /// How many of ``droppedEvents`` were removed with their file, to stay within limits, before anybody had taken it.
    public var removedEvents: Int64 = 0
    /// The sum over all sessions of: highest − lowest + 1 − distinct sequence numbers that were read.
    public var missingSequences: Int64 = 0
    /// How many of those no `dropped` line explains.
    public var unexplainedSequences: Int64 = 0
    /// Sessions whose first number is above 1, which begin before these files.
    public var earlierSessions = 0
    /// How many numbers are missing before the first ones of these sessions.
    public var earlierSequences: Int64 = 0
    /// How many of those no `dropped` line explains.
    public var unexplainedEarlierSequences: Int64 = 0
    /// Whether a session that begins above 1 is a fault.
    public var isCompleteAsked = false
    /// The last file of each writer, sorted by the writer's name.
    public var lastSegments: [LastSegment] = []
    /// The first ``exampleLimit`` gaps, unexplained ones first.
    public var firstGaps: [Gap] = []
    /// The largest step of a clock backwards, in milliseconds.
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
