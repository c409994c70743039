import EventFiles
import TrackingEvents

/// One `identified` line: which user an anonymous id belongs to. Its time only decides between several lines of one id.
struct IdentifiedLine: Sendable {
    var time: Int64
    var anonymous: Fingerprint
    var user: [UInt8]

    static let name = Array(MetaEventName.identified.utf8)
    /// Where the line has the anonymous id.
    static let path = ["anonymous"]
    private static let reader = PropertyReader(path: path)
}

extension IdentifiedLine {
    /// What an `identified` line says; `nil` for any other line, and where an id is missing.
    init?(_ line: EventHead) {
        guard line.kind == .meta, !line.user.isEmpty, line.name.elementsEqual(Self.name) else { return nil }
        let anonymous = line.properties.withText(at: Self.reader) { $0?.fingerprint ?? .none }
        guard !anonymous.isNone else { return nil }
        self.init(time: line.time, anonymous: anonymous, user: Array(line.user))
    }
}

/// Which user each anonymous id belongs to.
///
/// The earliest `identified` line of an id decides, in whatever order the lines are read. Of lines of the same millisecond, the one whose
/// user sorts first by bytes decides. A join is one step: a user is not looked up again as an anonymous id.
struct Identities {
    private var lines: [Fingerprint: IdentifiedLine] = [:]

    var isEmpty: Bool { lines.isEmpty }
    var all: some Sequence<IdentifiedLine> { lines.values }
    var users: some Sequence<[UInt8]> { lines.values.lazy.map(\.user) }

    mutating func add(_ line: IdentifiedLine) {
        func precedes(_ known: IdentifiedLine) -> Bool {
            line.time < known.time || line.time == known.time && line.user.lexicographicallyPrecedes(known.user)
        }
        if lines[line.anonymous].map(precedes) ?? true { lines[line.anonymous] = line }
    }

    /// For the fingerprint of each anonymous id, that of its user.
    var joined: [Fingerprint: Fingerprint] { lines.mapValues { $0.user.withUnsafeBytes { Fingerprint.of($0) } } }
}
