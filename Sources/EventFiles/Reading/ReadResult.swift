/// What was read and what could not be.
public struct ReadResult: Sendable, Hashable {
    /// The files, in the order of reading.
    public var files: [FileReadResult] = []
    /// Files that were listed and not read: where a crash left a segment under both names, `.open` and sealed, the one with less in it.
    public var leftOut: [String] = []
    /// Files that were removed between listing and reading, unless they were named one by one. Nothing of them was read.
    public var gone: [String] = []
    /// Files and folders whose names are not UTF-8: nothing of them was read.
    public var unnameable: [String] = []
    /// Summaries that were there and could not be used, each with the reason. The lines were read instead.
    public var ignoredSummaries: [String] = []
    /// How many files were answered from their summaries.
    public var summariesUsed = 0

    public init() {}

    /// Bytes of the files, not decompressed.
    public var bytes: Int64 { files.reduce(0) { $0 + $1.bytes } }
    /// Whole lines given out, good or bad.
    public var lines: Int { files.reduce(0) { $0 + $1.lines } }
    public var members: Int { files.reduce(0) { $0 + $1.members } }
    /// Damages other than long lines. A missing end counts, too, though it has no bytes.
    public var damagedMembers: Int { files.reduce(0) { $0 + $1.damagedMembers } }
    /// Lines that were passed over because of their length.
    public var longLines: Int { files.reduce(0) { $0 + $1.longLines } }
}

/// What was read of one file.
public struct FileReadResult: Sendable, Hashable {
    /// The most damages that are kept with offset and message; all are counted.
    public static let damageLimit = 1000

    /// The path as it was given or found; `-` for standard input.
    public var path: String
    public var framing = FileFraming.empty
    /// The size of the file, as far as it was read.
    public var bytes: Int64 = 0
    /// Whole members with the right CRC that hold something; the empty one that seals a file is not counted.
    public var members = 0
    /// Whole lines given out, good or bad.
    public var lines = 0
    /// The first ``damageLimit`` damages, in the order of the file.
    public var damage: [Damage] = []
    public var damagedMembers = 0
    public var longLines = 0
    /// The damages that ``damage`` does not keep: their number, and their bytes except those of long lines.
    private var beyondLimit: [Damage.Kind: Amount] = [:]
    /// The last damage that has bytes and is no long line.
    private(set) var lastLoss: Damage?
    /// Whether the file ends with the empty member that seals a blocked file.
    public var hasEndMember = false

    private struct Amount: Hashable {
        var number = 0
        var bytes: Int64 = 0
    }

    public init(path: String) { self.path = path }

    /// How many damages of this kind there are, those that ``damage`` does not keep included.
    public func count(of kind: Damage.Kind) -> Int { damage.count { $0.kind == kind } + (beyondLimit[kind]?.number ?? 0) }

    /// Bytes of the file that could not be used, also those of damages that ``damage`` does not keep. Long lines are not counted.
    public var unusableBytes: Int64 {
        damage.reduce(beyondLimit.reduce(0) { $0 + $1.value.bytes }) { $1.kind == .longLine ? $0 : $0 + $1.bytes }
    }

    /// Whether the file's name says that its writer was not done with it.
    public var isOpen: Bool { path.endsWithBytes(".open") }

    var isNamedGzip: Bool { (path.droppingLastBytes(".open") ?? path).endsWithBytes(".gz") }

    mutating func add(_ found: [Damage]) {
        for one in found {
            if one.kind == .longLine { longLines += 1 } else { damagedMembers += 1 }
            if one.bytes > 0, one.kind != .longLine { lastLoss = one }
            if damage.count < Self.damageLimit {
                damage.append(one)
            } else {
                beyondLimit[one.kind, default: Amount()].number += 1
                if one.kind != .longLine { beyondLimit[one.kind, default: Amount()].bytes += one.bytes }
            }
        }
    }
}
