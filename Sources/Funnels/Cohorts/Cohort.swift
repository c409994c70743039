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

    private var keys: Set<Fingerprint>
    private let met = MetOnce()

    /// Whether a pass that asked this list, or a copy of it, met an event of one of its keys. Passes ask only about events that may count.
    public var wasMet: Bool { met.isMet }

    /// A list of keys: the JSON of `looptrail users` or, of users, comma-separated values with the key first, or one key a line.
    ///
    /// - Parameter name: what it is called in a result.
    /// - Throws: ``CohortError`` with the line and column of the first thing that does not fit.
    /// - Complexity: O(bytes)
    public init(_ bytes: [UInt8], name: String) throws(CohortError) {
        var reader = CohortReader(bytes)
        try reader.readAll()
        (self.name, key, keys) = (name, reader.key, reader.keys)
    }

    func contains(_ key: Fingerprint) -> Bool {
        guard keys.contains(key) else { return false }
        met.note()
        return true
    }

    /// Adds the users that listed anonymous ids became: whichever id is listed, the person is meant.
    fileprivate mutating func join(_ owners: [Fingerprint: Fingerprint]) {
        if key == .user { keys.formUnion(keys.compactMap { owners[$0] }) }
    }
}

/// Whose events count: those of one list, those of none of another, or everybody's. Where a question joins anonymous ids to users, an id on
/// a list of users stands for the person with all ids.
public struct CohortFilter: Sendable, Hashable {
    /// Only these; `nil` for everybody.
    public let only: Cohort?
    /// All but these; `nil` to leave nobody out.
    public let except: Cohort?

    /// Everybody's events count.
    public static let everyone = CohortFilter()

    public init(only: Cohort? = nil, except: Cohort? = nil) { (self.only, self.except) = (only, except) }

    fileprivate let admitted = MetOnce()

    /// Whether some event or key passed every list that it was looked up in; `false` without lists.
    public var letSomebodyThrough: Bool { admitted.isMet }

    /// Whether it leaves nobody out.
    public var isEveryone: Bool { only == nil && except == nil }
}

/// A filter made ready for a pass that counts by some key.
///
/// A list of the counted keys is asked when a key is final, with its anonymous ids joined. Where something else is counted and ids are
/// joined, a list of users is asked for the user of each event, once all ids are joined. Any other list is asked line by line. A line lacks
/// the context of its session, so a list of a session's values works only where the pass counts by that property.
struct CohortTest: Sendable {
    /// A list, and whether the keys on it count; if not, all other keys do.
    private typealias List = (cohort: Cohort, isWanted: Bool)

    private let filter: CohortFilter
    /// The lists of counted keys, those that are asked for the user of each event, and all others, with a reader of their key on a line.
    private var ofKeys: [List]
    private var ofUsers: [List]
    private let ofLines: [(list: List, reader: KeyReader)]
    var asksUsers: Bool { !ofUsers.isEmpty }
    var asksLines: Bool { !ofLines.isEmpty }

    static let everyone = CohortTest(.everyone, countedBy: nil)

    /// - Parameters:
    ///   - key: what is counted; `nil` to ask all lists line by line.
    ///   - joins: whether anonymous ids are joined to users.
    init(_ filter: CohortFilter, countedBy key: FunnelKey?, joins: Bool = false) {
        self.filter = filter
        let lists: [List] = [filter.only.map { ($0, true) }, filter.except.map { ($0, false) }].compactMap(\.self)
        ofKeys = lists.filter { $0.cohort.key == key }
        let others = lists.filter { $0.cohort.key != key }
        ofUsers = others.filter { joins && $0.cohort.key == .user }
        ofLines = others.filter { !joins || $0.cohort.key != .user }.map { ($0, KeyReader($0.cohort.key)) }
    }

    /// Lists the users that anonymous ids on the lists became; to be called once all identities are known, before keys and users are asked.
    mutating func join(_ identities: Identities) {
        if filter.isEveryone || identities.isEmpty { return }
        let owners = identities.joined
        for index in ofKeys.indices { ofKeys[index].cohort.join(owners) }
        for index in ofUsers.indices { ofUsers[index].cohort.join(owners) }
    }

    /// Whether a key counts, as far as the lists of such keys say.
    func admits(_ key: Fingerprint) -> Bool { admits(key, ofKeys, isLast: true) }

    /// Whether an event counts, as far as the lists of users say; an anonymous id stands for the user it belongs to.
    func admits(user: Fingerprint) -> Bool { admits(user, ofUsers, isLast: ofKeys.isEmpty) }

    private func admits(_ key: Fingerprint, _ lists: [List], isLast: Bool) -> Bool {
        for list in lists where list.cohort.contains(key) != list.isWanted { return false }
        if isLast && !filter.isEveryone { filter.admitted.note() }
        return true
    }

    /// Whether a line counts, as far as the other lists say. Lists of keys and of users may still leave it out.
    func admits(_ line: EventHead) -> Bool {
        for (list, reader) in ofLines where list.cohort.contains(reader.fingerprint(line)) != list.isWanted { return false }
        if !filter.isEveryone && ofKeys.isEmpty && ofUsers.isEmpty { filter.admitted.note() }
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
