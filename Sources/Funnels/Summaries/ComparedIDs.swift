import EventFiles

/// Which ids of a file must be compared with those of other files.
enum ComparedIDs: Sendable {
    case none
    /// Those whose digest another file has as well, and some others.
    case some(DigestFilter)
    case all

    @inline(__always)
    func contains(_ id: Fingerprint) -> Bool {
        switch self {
        case .none: false
        case .some(let filter): filter.contains(id)
        case .all: true
        }
    }

    var isNone: Bool { if case .none = self { true } else { false } }

    /// How many digests the ids have, to make room for.
    var mostIDs: Int {
        switch self {
        case .none: 0
        case .some(let filter): filter.count
        case .all: .max
        }
    }
}

/// Says of nearly every fingerprint whether its digest is in a list: never no where it is, seldom yes where it is not.
struct DigestFilter: Sendable {
    /// For each digest 16 bits, of which one is set: of the other ids one in sixteen passes, and fewer where digests are few.
    private static let bitsEach = 16
    private static let leastPositionBits: UInt64 = 16

    let count: Int
    /// How many of the topmost bits of a digest are the position of its bit.
    private let positionBits: UInt64
    private var words: [UInt64]

    init(_ digests: [Int64]) {
        count = digests.count
        var positionBits = Self.leastPositionBits
        while 1 << positionBits < digests.count * Self.bitsEach { positionBits += 1 }
        self.positionBits = positionBits
        words = Array(repeating: 0, count: 1 << Int(positionBits - 6))
        for digest in digests {
            let position = Self.position(digest, positionBits)
            words[position >> 6] |= 1 << UInt64(position & 63)
        }
    }

    @inline(__always)
    func contains(_ id: Fingerprint) -> Bool {
        let position = Self.position(IDDigests.digest(of: id), positionBits)
        return words[position &>> 6] & (1 &<< UInt64(truncatingIfNeeded: position & 63)) != 0
    }

    @inline(__always)
    private static func position(_ digest: Int64, _ positionBits: UInt64) -> Int {
        Int(truncatingIfNeeded: UInt64(bitPattern: digest) &>> (UInt64(IDDigests.bits) &- positionBits))
    }
}
