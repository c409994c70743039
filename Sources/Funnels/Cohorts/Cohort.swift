import EventFiles
import Synchronization

/// Keys that somebody listed: users to count, or to leave out.
///
/// Memory: 21 to 43 bytes for each key, whatever its length.
public struct Cohort: Sendable, Hashable {
    /// What results call it; the command gives the file's name.
    public let name: String
    /// What the keys identify: users, unless the list says otherwise.
    public let key: FunnelKey
    /// How many different keys it has.
    public var count: Int { keys.count }

    private let keys: Set<Fingerprint>
    private let met = MetOnce()

    /// Whether a pass that asked this list, or a copy of it, met an event of one of its keys. Passes ask only about events that may count.
    public var wasMet: Bool { met.isMet }

    init(name: String, key: FunnelKey, keys: Set<Fingerprint>) {
        self.name = name
        self.key = key
        self.keys = keys
    }

    /// A list of keys in one of three forms: the JSON that `looptrail users` writes, comma-separated values with the key in the first
    /// column, or one key a line. The latter two list users.
    ///
    /// - Parameter name: what it is called in a result.
    /// - Throws: ``CohortError`` with the line and column of the first thing that does not fit.
    /// - Complexity: O(bytes)
    public init(_ bytes: [UInt8], name: String) throws(CohortError) {
        var reader = CohortReader(bytes)
        try reader.readAll()
        self.init(name: name, key: reader.key, keys: reader.keys)
    }

    func contains(_ key: Fingerprint) -> Bool {
        guard keys.contains(key) else { return false }
        met.note()
        return true
    }
}

/// Whose events count: those of one list, those of none of another, or everybody's.
public struct CohortFilter: Sendable, Hashable {
    /// Only these; `nil` for everybody.
    public let only: Cohort?
    /// All but these; `nil` to leave nobody out.
    public let except: Cohort?

    /// Everybody's events count.
    public static let everyone = CohortFilter()

    public init(only: Cohort? = nil, except: Cohort? = nil) { (self.only, self.except) = (only, except) }

    fileprivate let admitted = MetOnce()

    /// Whether a pass met an event or a key that every list it was looked up in let through; `false` without lists.
    public var letSomebodyThrough: Bool { admitted.isMet }

    /// Whether it leaves nobody out.
    public var isEveryone: Bool { only == nil && except == nil }
}

/// A filter made ready for a pass that counts by some key.
///
/// A list of the counted keys is asked when a key is final, with its anonymous ids joined. Any other list is asked line by line. A line
/// lacks the context of its session, so a list of a session's values works only where the pass counts by that property.
struct CohortTest: Sendable {
    /// A list, and whether the keys on it count; if not, all other keys do.
    private typealias List = (cohort: Cohort, isWanted: Bool)

    private let filter: CohortFilter
    /// The lists of counted keys, and all other lists, each with a reader of its key on a line.
    private let ofKeys: [List]
    private let ofLines: [(list: List, reader: KeyReader)]
    var asksLines: Bool { !ofLines.isEmpty }

    static let everyone = CohortTest(.everyone, countedBy: nil)

    /// - Parameter key: what is counted; `nil` to ask all lists line by line.
    init(_ filter: CohortFilter, countedBy key: FunnelKey?) {
        self.filter = filter
        let lists: [List] = [filter.only.map { ($0, true) }, filter.except.map { ($0, false) }].compactMap(\.self)
        ofKeys = lists.filter { $0.cohort.key == key }
        ofLines = lists.filter { $0.cohort.key != key }.map { ($0, KeyReader($0.cohort.key)) }
    }

    /// Whether a key counts, as far as the lists of such keys say.
    func admits(_ key: Fingerprint) -> Bool {
        for list in ofKeys where list.cohort.contains(key) != list.isWanted { return false }
        if !filter.isEveryone { filter.admitted.note() }
        return true
    }

    /// Whether a line counts, as far as the other lists say. Lists of keys may still leave its key out.
    func admits(_ line: EventHead) -> Bool {
        for (list, reader) in ofLines where list.cohort.contains(reader.fingerprint(line)) != list.isWanted { return false }
        if !filter.isEveryone && ofKeys.isEmpty { filter.admitted.note() }
        return true
    }
}

/// Whether something happened during a pass, noted from any of its threads. All values are equal, whatever they noted.
private final class MetOnce: Sendable, Hashable {
    private let flag = Atomic<Bool>(false)

    var isMet: Bool { flag.load(ordering: .relaxed) }

    /// Writes once: a cache line that all threads write would slow them down.
    func note() { if !isMet { flag.store(true, ordering: .relaxed) } }

    static func == (_: MetOnce, _: MetOnce) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
