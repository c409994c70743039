import Basics

/// What a repair found, saved and had to give up.
public struct RepairResult: Sendable, Hashable {
    /// One file.
    public struct File: Sendable, Hashable {
        public enum Outcome: String, Sendable, Hashable, CaseIterable {
            /// The sound file stands at ``output``.
            case repaired
            /// In place, and nothing was wrong with it: it was left as it was.
            case untouched
            /// Not one line could be saved; no output was made, and the input is as it was.
            case nothingSaved = "nothing_saved"
            /// It has neither lines nor damage. No output was made, because some engines refuse a file without a line.
            case empty
            /// It was left as it was: ``refusal`` says why.
            case refused
        }

        /// The result of the first reading: framing, members, lines, damage.
        public var read: FileReadResult
        public var outcome = Outcome.repaired
        public var refusal: RepairError?
        /// The sound file; `nil` where none was made.
        public var output: String?
        /// Where the damaged file is kept after a repair in place that left out or changed a line.
        public var original: String?
        /// Bytes of the repaired file.
        public var outputBytes: Int64 = 0
        /// Lines in the sound file that were in the damaged one.
        public var savedLines = 0
        /// How many of ``savedLines`` come from a member that the end of the file cuts: no CRC proves them, each was validated.
        public var salvagedLines = 0
        /// How many of ``savedLines`` were changed: U+FFFD for bad UTF-8 or half a surrogate pair, `null` for a number beyond doubles.
        public var mendedLines = 0
        /// Lines that are no events of this format, lines that are too long among them.
        public var badLines = 0
        /// The first ``CheckResult/exampleLimit`` bad lines, without those that are too long.
        public var firstBadLines: [CheckResult.BadLineFound] = []
        /// Lines whose id was seen before, here or in an earlier file.
        public var duplicates = 0
        /// Sequence numbers that were lost, and that a `dropped` line in the sound file reports.
        public var missingSequences: Int64 = 0
        /// Sequence numbers before a session's first line: lost to damage, or in files that were not given. No `dropped` line reports them.
        public var uncertainSequences: Int64 = 0

        /// Whether something of the file was lost. Duplicates do not count: the first line with the id is saved.
        public var hasLost: Bool { damagedPlaces > 0 || badLines > 0 }

        /// Whether the file has neither lines nor damage. Its end member may be missing.
        var isEmpty: Bool { read.lines == 0 && !hasLost }

        /// The number of damaged places. A missing end member does not count.
        var damagedPlaces: Int { read.damagedMembers - read.count(of: .missingEnd) }

        /// Whether lines of the file may be lost; a missing end member counts, because the file may be cut between members.
        var isDamaged: Bool { read.damagedMembers > 0 || badLines > 0 }
        func isDamaged(before start: CheckBatch.Start) -> Bool {
            read.damage.contains { $0.bytes > 0 && $0.byteOffset < start.byteOffset }
                || firstBadLines.contains { $0.lineNumber < start.lineNumber }
        }

        init(_ read: FileReadResult, refusedFor refusal: RepairError? = nil) {
            (self.read, self.refusal, outcome) = (read, refusal, refusal == nil ? .repaired : .refused)
        }
    }

    public var files: [File] = []
    /// Files that were listed in a folder and are gone.
    public var gone: [String] = []
    /// The result of a check of all files that are sound now, read back from storage; `nil` if there are none.
    public var check: CheckResult?

    /// Whether every file has a sound form now, and ``check`` confirms it.
    public var isSound: Bool { check?.isSound ?? false && files.allSatisfy { $0.refusal == nil && $0.outcome != .nothingSaved } }

    public var savedLines: Int { files.reduce(0) { $0 + $1.savedLines } }
    public var salvagedLines: Int { files.reduce(0) { $0 + $1.salvagedLines } }
    public var mendedLines: Int { files.reduce(0) { $0 + $1.mendedLines } }
    public var badLines: Int { files.reduce(0) { $0 + $1.badLines } }
    public var duplicates: Int { files.reduce(0) { $0 + $1.duplicates } }
    public var missingSequences: Int64 { files.reduce(0) { $0.addingClamped($1.missingSequences) } }
    public var uncertainSequences: Int64 { files.reduce(0) { $0.addingClamped($1.uncertainSequences) } }
    /// Damaged places in the inputs. Missing end members do not count: they hold no lines.
    public var damagedPlaces: Int { files.reduce(0) { $0 + $1.damagedPlaces } }
    /// Bytes of the inputs that could not be used.
    public var unusableBytes: Int64 { files.reduce(0) { $0 + $1.read.unusableBytes } }
}
