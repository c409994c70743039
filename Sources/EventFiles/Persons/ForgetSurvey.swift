import Basics
import TrackingEvents

/// What is in the files: how many lines of the person, and which sessions they share with others.
struct ForgetSurvey {
    struct File {
        /// Lines of the person.
        var lines = 0
        /// All lines.
        var allLines = 0
        /// Whether every byte could be read, and the file is finished.
        var isSound = false
        /// The person's numbered lines by session.
        var sessions: [String: Int] = [:]
    }

    private struct Part: Sendable {
        var file: Int
        var lines = 0
        var sessions: [String: Int] = [:]
        var others: Set<Fingerprint> = []
    }

    private(set) var files: [File]
    /// Sessions with lines that stay.
    private var others: Set<Fingerprint> = []

    init(
        of person: PersonIDs, in reader: EventFileReader, threads: Int, progress: ((ReadProgress) -> Void)?
    ) throws {
        var files = Array(repeating: File(), count: reader.files.count)
        var others: Set<Fingerprint> = []
        let report = try reader.read(
            threads: threads, map: { Self.part(of: $0, person) },
            consume: { part in
                files[part.file].lines += part.lines
                files[part.file].sessions.merge(part.sessions, uniquingKeysWith: +)
                others.formUnion(part.others)
            }, progress: progress)
        var byPath: [String: FileReadResult] = [:]
        for file in report.files { byPath[file.path] = file }
        for (place, file) in reader.files.enumerated() {
            guard let read = byPath[file.path] else { continue }
            files[place].allLines = read.lines
            files[place].isSound =
                read.framing == .blocked && read.hasEndMember && read.damagedMembers == 0 && read.longLines == 0
        }
        self.files = files
        self.others = others
    }

    private static func part(of batch: borrowing LineBatch, _ person: PersonIDs) -> Part {
        let scanner = EventLineScanner()
        let scratch = ByteBuffer(capacity: 64)
        var part = Part(file: batch.fileIndex)
        batch.forEachLine { line in
            guard let head = try? scanner.scan(line) else { return }
            if person.isOf(line, head, scratch: scratch) {
                part.lines += 1
                if head.sequence > 0, !head.session.isEmpty { part.sessions[head.session.string(in: line), default: 0] += 1 }
            } else if head.sequence > 0, !head.session.isEmpty {
                part.others.insert(Fingerprint.of(head.session.unescaped(in: line, scratch: scratch)))
            }
        }
        return part
    }

    /// What the `dropped` line of a file says. Sessions that were the person's alone leave no gap, and are not named.
    func note(of place: Int) -> DropTally {
        var tally = DropTally()
        var unnumbered = files[place].lines
        for (session, count) in files[place].sessions.sorted(by: { $0.key < $1.key }) {
            tally.add(.forgotten, session: others.contains(Fingerprint.of(session)) ? session : nil, count: count)
            unnumbered -= count
        }
        if unnumbered > 0 { tally.add(.forgotten, session: nil, count: unnumbered) }
        return tally
    }
}
