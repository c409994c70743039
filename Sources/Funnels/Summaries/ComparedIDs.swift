import EventFiles

/// Which ids of a file must be compared with those of other files.
enum ComparedIDs: Sendable {
    case none
    /// Those whose digest another file has as well.
    case some(FingerprintNumbers)
    case all

    /// A digest in the form in which a table of fingerprints holds it.
    @inline(__always)
    static func fingerprint(_ digest: Int64) -> Fingerprint { Fingerprint(high: 0, low: UInt64(bitPattern: digest)) }

    @inline(__always)
    func contains(_ id: Fingerprint) -> Bool {
        switch self {
        case .none: false
        case .some(let digests): digests.known(Self.fingerprint(IDDigests.digest(of: id))) != nil
        case .all: true
        }
    }

    var isNone: Bool { if case .none = self { true } else { false } }

    /// How many ids may have to be compared, to make room for them.
    var mostIDs: Int {
        switch self {
        case .none: 0
        case .some(let digests): digests.all.count
        case .all: .max
        }
    }
}
