/// What an ``EventFileIndexer`` did.
public struct IndexResult: Sendable, Hashable {
    /// Why a file has no summary.
    public enum Refusal: Sendable, Hashable {
        /// Not a sealed file of blocked gzip: it is still being written, or is ordinary gzip, plain lines or a pipe.
        case notSealed
        /// A member of it is damaged, or a line is too long; `repair` makes a sound file.
        case damaged
        /// A line, counted from 1, holds bytes that are not UTF-8. Engines would refuse the whole summary for it.
        case notUTF8(line: Int)
        /// The name is a link: the summary belongs beside the file that it leads to.
        case link
        /// The file was removed or replaced meanwhile.
        case gone
        /// Another process is making its summary.
        case busy
        /// The work was stopped.
        case cancelled
        /// A system call failed; the text says which and why.
        case failed(String)
    }

    public enum Outcome: Sendable, Hashable {
        /// The summary is new.
        case made
        /// There was one already, made of this very file.
        case kept
        case refused(Refusal)
    }

    public struct File: Sendable, Hashable {
        /// The path of the event file.
        public let path: String
        public internal(set) var outcome: Outcome
        /// The size of the event file.
        public let bytes: Int64
        /// The size of the summary; 0 without one.
        public internal(set) var summaryBytes: Int64 = 0
        /// Events and meta lines in the summary.
        public internal(set) var rows = 0
        /// Lines that cannot be read; 0 without a summary.
        public internal(set) var badLines = 0

        mutating func note(_ outcome: Outcome, _ facts: SummaryFacts, bytes: Int64) {
            (self.outcome, summaryBytes, rows, badLines) = (outcome, bytes, facts.rows, facts.badLines)
        }
    }

    /// The files in their order.
    public internal(set) var files: [File]

    /// How many summaries are new, and how many were kept.
    public var made: Int { files.count { $0.outcome == .made } }
    public var kept: Int { files.count { $0.outcome == .kept } }
    /// Files without a summary.
    public var refused: [File] { files.filter { if case .refused = $0.outcome { true } else { false } } }
}
