import Basics
import TrackingEvents

/// Everything that is written about one person, in the order of time.
public struct PersonEvents: Sendable, Equatable {
    public struct Event: Sendable, Equatable {
        public let timeMilliseconds: Int64
        public let name: String
        /// The id on the line: the person's, or an anonymous one that became it. On an `identified` line it may be another's.
        public let user: String
        /// Empty where the line has none.
        public let session: String
        /// The number in the session; 0 where the line has none.
        public let sequence: Int64
        /// The line as it stands in the file, without its line feed.
        public let line: [UInt8]

        /// The object of the event's properties as it stands on the line; empty without one.
        public var properties: String {
            line.withUnsafeBytes { line in
                guard let head = try? EventLineScanner().scan(line), !head.properties.isMissing else { return "" }
                return String(decoding: head.properties.bytes(in: line), as: UTF8.self)
            }
        }
    }

    public let ids: PersonIDs
    /// Sorted by time, then by number, then in the order of the files. Of several events with one id only the first that was read is here.
    public private(set) var events: [Event] = []
    /// What was read, and what could not be.
    public private(set) var reading = ReadResult()

    init(ids: PersonIDs, events: [Event]) { (self.ids, self.events) = (ids, events) }

    /// Reads all files twice: first for the person's ids, then for the events. In folders, `.sent/` and `.pending/` are read as well.
    ///
    /// - Parameters:
    ///   - reader: not of standard input, which cannot be read twice.
    ///   - progress: of the second reading.
    /// - Throws: ``EventFileReadError``.
    /// - Complexity: O(bytes) time. Memory: the person's lines, and about 350 bytes for each anonymous id that became a user.
    public init(
        of id: String, in reader: EventFileReader, threads: Int = EventFileReader.activeProcessors,
        progress: ((ReadProgress) -> Void)? = nil
    ) throws {
        let reader = try reader.withHiddenFolders()
        let ids = try PersonIDs([id], in: reader, threads: threads)
        self.ids = ids
        var seen = FingerprintSet()
        var found: [Event] = []
        reading = try reader.read(
            threads: threads, map: { Self.lines(of: ids, in: $0) },
            consume: { lines in
                for line in lines {
                    if let id = line.id, !seen.insert(id) { continue }
                    found.append(line.event)
                }
            }, progress: progress)
        let order = found.indices.sorted {
            let (first, second) = (found[$0], found[$1])
            return (first.timeMilliseconds, first.sequence, $0) < (second.timeMilliseconds, second.sequence, $1)
        }
        events = order.map { found[$0] }
    }

    private static func lines(of ids: PersonIDs, in batch: borrowing LineBatch) -> [(event: Event, id: Fingerprint?)] {
        let (scanner, scratch) = (EventLineScanner(), ByteBuffer(capacity: 64))
        var found: [(Event, Fingerprint?)] = []
        batch.forEachLine { line in
            guard let head = try? scanner.scan(line), ids.isOf(line, head, scratch: scratch) else { return }
            let event = Event(
                timeMilliseconds: head.timeMilliseconds, name: head.name.string(in: line), user: head.user.string(in: line),
                session: head.session.string(in: line), sequence: head.sequence, line: Array(line))
            found.append((event, head.id.isEmpty ? nil : Fingerprint.of(head.id.unescaped(in: line, scratch: scratch))))
        }
        return found
    }
}
