import EventFiles

/// Numbers texts in the order they come: the event names of a batch, a breakdown's values, keys.
struct NameTable {
    /// The bytes of each name.
    private(set) var names: [[UInt8]] = []
    private var numbers = FingerprintNumbers()
    private var last = 0

    /// The number of a name; a new name gets the largest number so far + 1.
    @inline(__always)
    mutating func number(of name: UnsafeRawBufferPointer) -> Int {
        let fingerprint = Fingerprint.of(name)
        if last < names.count && numbers.all[last] == fingerprint { return last }
        last = numbers.number(of: fingerprint)
        if last == names.count { names.append(Array(name)) }
        return last
    }

    mutating func numbers(of names: some Sequence<[UInt8]>) -> [Int] { names.map { name in name.withUnsafeBytes { number(of: $0) } } }

    /// The name with this fingerprint; empty if there is none.
    func text(withFingerprint fingerprint: Fingerprint) -> String {
        numbers.known(fingerprint).map { String(decoding: names[$0], as: UTF8.self) } ?? ""
    }
}
