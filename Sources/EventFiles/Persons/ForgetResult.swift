/// What ``EventForgetting`` has done.
public struct ForgetResult: Sendable, Equatable {
    public struct File: Sendable, Equatable {
        public let path: String
        /// Lines of the person; in a file that is no event file, lines with an id. 0 if the file only names a session, or was not read.
        public let lines: Int
        public let outcome: Outcome
    }

    public enum Outcome: Sendable, Equatable {
        /// The others' lines are in a new file of this name, and the old name leads to an empty sealed file.
        case replaced(by: String)
        /// The file had no lines of others: its name leads to an empty sealed file.
        case emptied
        /// Left as it was.
        case refused(Refusal)

        fileprivate var isRefused: Bool { if case .refused = self { true } else { false } }
    }

    /// Why a file that holds lines or ids of the person, or may hold some, was left as it was.
    public enum Refusal: String, Sendable, Equatable, CaseIterable {
        /// A writer is at work on it, or will take it over.
        case open
        /// Its name is not that of a segment, so no new name follows from it.
        case notASegment = "not_a_segment"
        /// Parts of it cannot be read. They may hold lines of the person, and lines of others that would be lost.
        case damaged
        /// Its upload was begun and not answered: the server may have it as it is.
        case mayHaveArrived = "may_have_arrived"
        /// It changed, or left its folder, while it was worked on.
        case changed
        /// It is a link or has a second name: the lines would stay behind the other name.
        case linked
        /// An uploader, or another forgetting, is at work on the folder.
        case inUse = "in_use"
        /// A killed run made it of a file that is still there, and by now it lacks lines of others.
        case incomplete
        /// It is no event file and holds one of the ids.
        case mentioned
        /// It is no event file, and parts of it cannot be read; or its name is not UTF-8.
        case unreadable
    }

    public let ids: PersonIDs
    /// The files that were changed or refused: first rings and what is in use, then event files in the order of reading, then others.
    public internal(set) var files: [File] = []
    /// The paths of files that were removed because nobody can tell whose bytes they held: bytes that recovery could not read
    /// (`.quarantine/`), damaged files that repair kept, unfinished files, and summaries of segments that are gone or were replaced.
    public internal(set) var quarantined: [String] = []

    /// How many lines of the person were removed.
    public var removedLines: Int { files.reduce(0) { $1.outcome.isRefused ? $0 : $0 + $1.lines } }

    /// Whether no line of the person is left. Properties of other people's events may still hold an id.
    public var isComplete: Bool { !files.contains { $0.outcome.isRefused } }
}

extension ForgetResult.Refusal {
    /// What to do about it.
    public var advice: String {
        switch self {
        case .open: "it is still being written: close its writer (or open one in the folder, if it was killed), then run this again"
        case .notASegment: "its name is not that of a segment: take the lines out of it by hand, or read it into segments"
        case .damaged: "it is damaged: `looptrail repair --in-place` it or, if that saves nothing, move it away, then run this again"
        case .mayHaveArrived: "its upload was begun and not answered: let the app upload, forget at the server, then run this again"
        case .changed: "it changed meanwhile: run this again"
        case .incomplete:
            "a killed run made it, and it is damaged or lacks lines: run this again for all whom that run was forgetting or, if that does "
                + "not help, move it out of the folder first"
        case .linked: "it is a link or has a hard link, and the lines would stay there: keep one name of the file, then run this again"
        case .mentioned: "it holds one of the ids and is no event file: take the id out by hand, or remove the file, then run this again"
        case .unreadable: "it cannot be read: look at it by hand, rename it if its name is not UTF-8, or remove it, then run this again"
        case .inUse: "an uploader or another `looptrail forget` is at work on this folder: run this again when it has ended"
        }
    }
}
