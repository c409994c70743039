/// The smallest and the largest value of a column chunk as the format writes them; none for flags, long texts and infinite numbers.
struct ColumnStatistics {
    /// Longer texts are left out: engines skip little by them, and they would fill the footer.
    static let maxTextBytes = 64

    let smallest: [UInt8]
    let largest: [UInt8]

    init?(_ builder: ColumnBuilder) {
        let values = builder.values
        switch builder.column.kind {
        case .flag: return nil
        case .int32, .int64:
            guard let least = values.integers.min(), let most = values.integers.max() else { return nil }
            let bytes = builder.column.kind.plainBytes
            (smallest, largest) = (Array(Self.bytes(least).prefix(bytes)), Array(Self.bytes(most).prefix(bytes)))
        case .double:
            let doubles = values.integers.lazy.map { Double(bitPattern: UInt64(bitPattern: $0)) }
            guard let least = doubles.min(), let most = doubles.max(), least.isFinite, most.isFinite else { return nil }
            // 0.0 and -0.0 are equal, so `min` and `max` may return either.
            smallest = Self.bytes((least == 0 ? -0.0 : least).bitPattern)
            largest = Self.bytes((most == 0 ? 0.0 : most).bitPattern)
        case .text:
            let texts = Self.texts(of: builder)
            guard let least = texts.min(by: { $0.lexicographicallyPrecedes($1) }), least.count <= Self.maxTextBytes,
                let most = texts.max(by: { $0.lexicographicallyPrecedes($1) }), most.count <= Self.maxTextBytes
            else { return nil }
            (smallest, largest) = (Array(least), Array(most))
        }
    }

    private static func texts(of builder: ColumnBuilder) -> [UnsafeRawBufferPointer] {
        let values = builder.values
        if builder.texts.keepsEach { return values.ends.indices.map { values.text($0) } }
        // The dictionary may hold texts that no row has.
        var isUsed = [Bool](repeating: false, count: values.table.count)
        for code in values.codes { isUsed[Int(code)] = true }
        return isUsed.indices.filter { isUsed[$0] }.map { values.table.text($0) }
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }
}
