/// What ``EventForgetting`` has done.
public struct ForgetResult: Sendable, Equatable {
    public struct File: Sendable, Equatable {
        public let path: String
        /// Lines of the person, or lines with an id in a file of other things. 0 if it only names a session of the person or was not read.
        public let lines: Int
        public let outcome: Outcome
    }

    public enum Outcome: Sendable, Equatable {
        /// The others' lines are in a new file of this name, and the old name leads to an empty sealed file.
        case replaced(by: String)
        /// There was nothing of others in it: the name leads to an empty sealed file.
        case emptied
        /// Left as it was.
        case refused(Refusal)

        fileprivate var isRefused: Bool { if case .refused = self { true } else { false } }
    }

    /// Why a file with lines of the person was left as it was.
    public enum Refusal: String, Sendable, Equatable, CaseIterable {
        /// A writer is at work on it, or will take it over.
        case open
        /// Its name is none of a segment, so no new name follows from it.
        case notASegment = "not_a_segment"
        /// Parts of it cannot be read: what they hold would be lost, or is the person's.
        case damaged
        /// Its upload was begun and never answered: it may be at the server as it is.
        case mayHaveArrived = "may_have_arrived"
        /// It changed while it was worked on.
        case changed
        /// The folder is in use by an uploader.
        case inUse = "in_use"
        /// It is no event file and holds one of the ids.
        case mentioned
        /// It is no event file, and parts of it cannot be read.
        case unreadable
    }

    public let ids: PersonIDs
    /// The files that were changed or refused: rings and what is in use, event files in the order of reading, then other files.
    public internal(set) var files: [File] = []
    /// Files that were removed because nobody can tell whose bytes they held: what recovery could not read (`.quarantine/`), damaged files
    /// that repair kept, unfinished files, and summaries of segments that are gone or were replaced. Paths.
    public internal(set) var quarantined: [String] = []

    /// Lines that are gone.
    public var removedLines: Int { files.reduce(0) { $1.outcome.isRefused ? $0 : $0 + $1.lines } }

    /// Whether nothing of the person is left in the files.
    public var isComplete: Bool { !files.contains { $0.outcome.isRefused } }
}

extension ForgetResult.Refusal {
    /// What to do about it.
    public var advice: String {
        switch self {
        case .open: "it is still being written: close its writer (or open one in the folder, if it was killed), then run this again"
        case .notASegment: "its name is none of a segment: take the lines out of it by hand, or read it into segments"
        case .damaged: "it is damaged: repair it first (`looptrail repair --in-place`), then run this again"
        case .mayHaveArrived: "its upload was begun and not answered: let the app upload, forget at the server, then run this again"
        case .changed: "it changed meanwhile: run this again"
        case .mentioned: "it holds one of the ids and is no event file: take the id out by hand, or remove the file, then run this again"
        case .unreadable: "parts of it cannot be read: look at it by hand, or remove it, then run this again"
        case .inUse: "an uploader is at work on its folder: run this again when it has ended"
        }
    }
}
