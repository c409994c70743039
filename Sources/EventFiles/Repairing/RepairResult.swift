/// What a repair found, saved and had to give up.
public struct RepairResult: Sendable, Hashable {
    /// One file.
    public struct File: Sendable, Hashable {
        public enum Outcome: String, Sendable, Hashable, CaseIterable {
            /// The sound file stands at ``output``.
            case repaired
            /// In place, and nothing was wrong with it: it was not touched.
            case untouched
            /// Not one line could be had; no output was made, and the input is as it was.
            case nothingSaved = "nothing_saved"
            /// There was nothing in it to save or to lose, and no output was made: some engines refuse a file without a line.
            case empty
        }

        /// What was read: framing, members, lines, damage.
        public var read: FileReadResult
        public var outcome = Outcome.repaired
        /// The sound file; `nil` where none was made.
        public var output: String?
        /// Where the damaged file is kept after a repair in place that lost something.
        public var original: String?
        /// Of the repaired file.
        public var outputBytes: Int64 = 0
        /// Lines in the sound file that were in the damaged one.
        public var savedLines = 0
        /// How many of these come from a member that the end of the file cuts: no CRC proves them, each was validated.
        public var salvagedLines = 0
        /// How many of these had bytes that are no UTF-8, or half of a surrogate pair, and have U+FFFD instead.
        public var mendedLines = 0
        /// Lines that are no events of this format, lines that are too long among them.
        public var badLines = 0
        /// The first ``CheckResult/exampleLimit`` of them.
        public var firstBadLines: [CheckResult.BadLineFound] = []
        /// Lines whose id was seen before, here or in an earlier file.
        public var duplicates = 0
        /// Sequence numbers that were lost and that a `dropped` line in the sound file owns up to.
        public var missingSequences: Int64 = 0
        /// Numbers before sessions' first lines that damage took, or that stand in files which were not given: nothing owns up to them.
        public var uncertainSequences: Int64 = 0

        /// Whether something that was in the file is not in the sound one; duplicates are.
        public var hasLost: Bool { damagedPlaces > 0 || badLines > 0 }

        /// Whether there is nothing in the file and nothing wrong with it, but that its end may be missing.
        var isEmpty: Bool { read.lines == 0 && !hasLost }

        /// Places of damage, a missing end member not among them.
        var damagedPlaces: Int { read.damagedMembers - read.count(of: .missingEnd) }

        /// Whether lines of the file may be lost, also in a cut between members.
        var isDamaged: Bool { read.damagedMembers > 0 || badLines > 0 }
        func isDamaged(before start: CheckBatch.Start) -> Bool {
            read.damage.contains { $0.bytes > 0 && $0.byteOffset < start.byteOffset }
                || firstBadLines.contains { $0.lineNumber < start.lineNumber }
        }

        init(_ read: FileReadResult) { self.read = read }
    }

    public var files: [File] = []
    /// What a check of all files says that are sound now, read back from storage; `nil` where there are none.
    public var check: CheckResult?

    /// Whether every file has a sound form now, by the word of ``check``.
    public var isSound: Bool { !files.isEmpty && check?.isSound ?? false && files.allSatisfy { $0.outcome != .nothingSaved } }

    public var savedLines: Int { files.reduce(0) { $0 + $1.savedLines } }
    public var salvagedLines: Int { files.reduce(0) { $0 + $1.salvagedLines } }
    public var mendedLines: Int { files.reduce(0) { $0 + $1.mendedLines } }
    public var badLines: Int { files.reduce(0) { $0 + $1.badLines } }
    public var duplicates: Int { files.reduce(0) { $0 + $1.duplicates } }
    public var missingSequences: Int64 { files.reduce(0) { $0 + $1.missingSequences } }
    public var uncertainSequences: Int64 { files.reduce(0) { $0 + $1.uncertainSequences } }
    /// Places of damage in the inputs, missing end members not among them: these cost nothing.
    public var damagedPlaces: Int { files.reduce(0) { $0 + $1.damagedPlaces } }
    /// Bytes of the inputs that could not be used.
    public var unusableBytes: Int64 { files.reduce(0) { $0 + $1.read.unusableBytes } }
}
