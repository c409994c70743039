import Basics
import TrackingEvents

/// What is in the files: how many lines are the person's, which sessions others share, and which of the person's sessions others name.
struct ForgetSurvey {
    struct File: Sendable {
        /// How many lines are the person's, and how many lines there are.
        var lines = 0
        var allLines = 0
        /// Whether everything that may be the person's could be read.
        var isReadable = true
        /// Whether the file is readable, gzip, undamaged and ended.
        var isSound = false
        /// How many lines with a sequence number the person has, by session.
        var sessions: [String: Int] = [:]
        /// The sessions that other people's lines name as the session before.
        var previous: Set<Fingerprint> = []
    }

    private struct Part: Sendable {
        var file: Int
        var found = File()
        /// All sessions of the person, and all in which others have numbered lines.
        var own: Set<Fingerprint> = []
        var others: Set<Fingerprint> = []
    }

    private(set) var files: [File]
    /// The sessions of the person alone (nobody else has a numbered line in them) that a line of somebody else names.
    let namedSessions: Set<Fingerprint>
    private let others: Set<Fingerprint>

    /// `known` holds the person's sessions whose lines an earlier run may have removed. `goOn` throws if the survey must end.
    init(
        of person: PersonIDs, in reader: EventFileReader, known: Set<Fingerprint>, threads: Int, progress: ((ReadProgress) -> Void)?,
        goOn: () throws -> Void
    ) throws {
        var files = Array(repeating: File(), count: reader.files.count)
        var (others, own) = (Set<Fingerprint>(), known)
        let traces = PersonTraces(of: person)
        let read = try reader.read(
            threads: threads, map: { Self.part(of: $0, person, traces) },
            consume: { part in
                try goOn()
                files[part.file].lines += part.found.lines
                files[part.file].sessions.merge(part.found.sessions, uniquingKeysWith: +)
                files[part.file].previous.formUnion(part.found.previous)
                files[part.file].isReadable = files[part.file].isReadable && part.found.isReadable
                own.formUnion(part.own)
                others.formUnion(part.others)
            }, progress: progress)
        let byPath = Dictionary(read.files.map { (ExactText($0.path), $0) }) { $1 }
        for (index, file) in reader.files.enumerated() {
            let found = byPath[ExactText(file.path)]
            let read = found ?? FileReadResult(path: file.path)
            if found == nil || read.damagedMembers > read.count(of: .missingEnd) || read.longLines > 0 { files[index].isReadable = false }
            files[index].allLines = read.lines
            let isEnded = read.framing == .blocked && read.hasEndMember || read.framing == .gzip
            files[index].isSound = files[index].isReadable && isEnded && read.damagedMembers == 0
        }
        own.subtract(others)
        namedSessions = files.reduce(into: []) { $0.formUnion($1.previous.intersection(own)) }
        self.files = files
        self.others = others
    }

    private static func part(of batch: borrowing LineBatch, _ person: PersonIDs, _ traces: PersonTraces) -> Part {
        let (scanner, scratch) = (EventLineScanner(), ByteBuffer(capacity: 64))
        var part = Part(file: batch.fileIndex)
        batch.forEachLine { line in
            guard let head = try? scanner.scan(line) else {
                // The line is no event. If it holds one of the ids, nobody can tell whose line it is.
                if traces.areIn(line) { part.found.isReadable = false }
                return
            }
            let session = head.session.isEmpty ? nil : Fingerprint.of(head.session.unescaped(in: line, scratch: scratch))
            if person.isOf(line, head, scratch: scratch) {
                part.found.lines += 1
                if let session { part.own.insert(session) }
                if head.sequence > 0, session != nil { part.found.sessions[head.session.string(in: line), default: 0] += 1 }
            } else {
                if head.sequence > 0, let session { part.others.insert(session) }
                if let previous = PreviousSession.of(line, head, scratch: scratch) { part.found.previous.insert(previous) }
            }
        }
        return part
    }

    /// Whether a file has something to remove, or something that cannot be read.
    func isMeant(_ index: Int) -> Bool {
        let file = files[index]
        return file.lines > 0 || !file.isReadable || !file.previous.isDisjoint(with: namedSessions)
    }

    /// The contents of a file's `dropped` line. It does not name sessions that were the person's alone, because they leave no gap.
    func note(of index: Int) -> DropTally {
        var tally = DropTally()
        var unnumbered = files[index].lines
        for (session, count) in files[index].sessions.sorted(by: { $0.key < $1.key }) {
            tally.add(.forgotten, session: others.contains(Fingerprint.of(session)) ? session : nil, count: count)
            unnumbered -= count
        }
        if unnumbered > 0 { tally.add(.forgotten, session: nil, count: unnumbered) }
        return tally
    }
}
