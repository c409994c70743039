import Basics
import TrackingEvents

/// The ids of a person: those asked for, and the anonymous ids that became them.
///
/// An anonymous id belongs to the user of the earliest `identified` line that names it; at equal times, to the user that sorts first.
public struct PersonIDs: Sendable, Equatable {
    /// The ids that were asked for.
    public let ids: [String]
    /// The anonymous ids that became one of them, sorted.
    public let aliases: [String]
    /// For each of ``ids`` that is itself an anonymous id: the user that it became, unless ``ids`` has that user, too.
    public let became: [String: String]

    private let all: Set<Fingerprint>
    private let hasBroken: Bool
    private static let anonymous = PropertyReader(path: ["anonymous"])
    private static let identified = Array(MetaEventName.identified.utf8)

    private typealias Identified = (time: Int64, anonymous: ExactText, user: ExactText)

    let owners: [ExactText: ExactText]

    /// Reads the `identified` lines of all files, in O(bytes).
    ///
    /// - Throws: ``EventFileReadError``.
    public init(
        _ ids: [String], in reader: EventFileReader, threads: Int = EventFileReader.activeProcessors,
        progress: ((ReadProgress) -> Void)? = nil
    ) throws { try self.init(ids, known: [:], in: reader, threads: threads, progress: progress) }

    /// `known` gives the users of anonymous ids whose `identified` lines may be gone. `goOn` throws if the reading must end.
    init(
        _ ids: [String], known: [ExactText: ExactText], in reader: EventFileReader, threads: Int,
        progress: ((ReadProgress) -> Void)? = nil, goOn: () throws -> Void = {}
    ) throws {
        var owners: [ExactText: Identified] = [:]
        _ = try reader.read(
            threads: threads, map: { Self.identifiedLines(of: $0) },
            consume: { lines in
                try goOn()
                for line in lines {
                    if let known = owners[line.anonymous], (known.time, known.user) <= (line.time, line.user) { continue }
                    owners[line.anonymous] = line
                }
            }, progress: progress)
        self.init(ids, owners: known.merging(owners.mapValues(\.user)) { known, _ in known })
    }

    init(_ ids: [String], owners: [ExactText: ExactText]) {
        var seen: Set<ExactText> = []
        self.ids = ids.filter { seen.insert(ExactText($0)).inserted }
        let owned = owners.filter { seen.contains($0.value) && !seen.contains($0.key) }
        self.owners = owned
        aliases = owned.keys.sorted().map(\.text)
        let lost = owners.filter { seen.contains($0.key) && !seen.contains($0.value) }
        became = Dictionary(lost.map { ($0.key.text, $0.value.text) }) { first, _ in first }
        all = Set((self.ids + aliases).map { Fingerprint.of($0) })
        hasBroken = (self.ids + aliases).contains { $0.unicodeScalars.contains("\u{FFFD}") }
    }

    private static func identifiedLines(of batch: borrowing LineBatch) -> [Identified] {
        let scanner = EventLineScanner()
        var found: [Identified] = []
        batch.forEachLine { line in
            guard let head = try? scanner.scan(line), let anonymous = anonymousID(on: line, head) else { return }
            found.append((head.timeMilliseconds, ExactText(anonymous), ExactText(head.user.string(in: line))))
        }
        return found
    }

    /// The anonymous id that an `identified` line joins to its user; `nil` for any other line.
    private static func anonymousID(on line: UnsafeRawBufferPointer, _ head: EventLine) -> String? {
        guard head.kind == .meta, !head.user.isEmpty, !head.properties.isMissing, head.name.bytes(in: line).elementsEqual(identified) else {
            return nil
        }
        let properties = head.properties.bytes(in: line)
        let text = anonymous.value(in: properties)?.string(in: properties) ?? ""
        return text.isEmpty ? nil : text
    }

    /// Whether a line is about the person: it has one of the ids as its user, or joins one of them to somebody.
    func isOf(_ line: UnsafeRawBufferPointer, _ head: EventLine, scratch: ByteBuffer) -> Bool {
        if !head.user.isEmpty, all.contains(Fingerprint.of(head.user.unescaped(in: line, scratch: scratch))) { return true }
        // An id with bytes that are no UTF-8 is shown, and asked for, with U+FFFD in their place.
        if hasBroken, all.contains(Fingerprint.of(head.user.string(in: line))) { return true }
        return Self.anonymousID(on: line, head).map { all.contains(Fingerprint.of($0)) } ?? false
    }

    /// How many lines of a ring are about the person, or are no events and hold one of the ids, as lines of a log.
    func lines(in ring: RingContents, _ traces: PersonTraces) -> Int {
        let (scanner, scratch) = (EventLineScanner(), ByteBuffer(capacity: 64))
        return ring.lines.count { line in
            let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(ring.bytes(of: line)).dropLast())
            return (try? scanner.scan(bytes)).map { isOf(bytes, $0, scratch: scratch) } ?? traces.areIn(bytes)
        }
    }
}
