import Basics

/// The smallest and the largest value of a column chunk as the format writes them; none where texts are long.
struct ColumnStatistics {
    /// Longer texts are left out: engines skip little by them, and they would fill the footer.
    static let maxTextBytes = 64

    private(set) var smallest: [UInt8] = []
    private(set) var largest: [UInt8] = []
    private(set) var isKnown = false

    init(_ builder: ColumnBuilder) {
        switch builder.column.kind {
        case .flag: break
        case .int32:
            guard let least = builder.integers.min(), let most = builder.integers.max() else { return }
            set(Self.bytes(Int32(truncatingIfNeeded: least)), Self.bytes(Int32(truncatingIfNeeded: most)))
        case .int64:
            guard let least = builder.integers.min(), let most = builder.integers.max() else { return }
            set(Self.bytes(least), Self.bytes(most))
        case .double:
            guard let least = builder.doubles.min(), let most = builder.doubles.max(), least.isFinite, most.isFinite else { return }
            // The two zeros are equal, and one may hide the other.
            set(Self.bytes((least == 0 ? -0.0 : least).bitPattern), Self.bytes((most == 0 ? 0.0 : most).bitPattern))
        case .text: noteTexts(builder)
        }
    }

    private mutating func noteTexts(_ builder: ColumnBuilder) {
        var (least, most): (UnsafeRawBufferPointer?, UnsafeRawBufferPointer?)
        func note(_ text: UnsafeRawBufferPointer) {
            if least.map({ text.lexicographicallyPrecedes($0) }) ?? true { least = text }
            if most.map({ $0.lexicographicallyPrecedes(text) }) ?? true { most = text }
        }
        if builder.texts == .each {
            let (bytes, ends) = (builder.bytes, builder.ends)
            for index in ends.indices { note(bytes.text(index, ends: ends)) }
        } else {
            // The dictionary may hold texts that no row has.
            let table = builder.table
            var isUsed = [Bool](repeating: false, count: table.count)
            for code in builder.codes { isUsed[Int(code)] = true }
            for code in isUsed.indices where isUsed[code] { note(table.text(code)) }
        }
        guard let least, let most, max(least.count, most.count) <= Self.maxTextBytes else { return }
        set(Array(least), Array(most))
    }

    private mutating func set(_ least: [UInt8], _ most: [UInt8]) {
        (smallest, largest, isKnown) = (least, most, true)
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }
}
