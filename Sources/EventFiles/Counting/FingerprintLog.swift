/// Fingerprints in the order they came, with a filter that recognizes nearly every new one. 19 to 22 bytes each. Where the filter is in
/// doubt, the log is searched from end to end. So a new fingerprint mostly costs one look into the filter, which is a quarter of all bytes
/// or less, and one that is there already costs much.
struct FingerprintLog: ~Copyable {
    private var all = ChunkedArray<Fingerprint>()
    private var filter: FingerprintFilter

    var count: Int { all.count }

    init(expecting expected: Int = 0) { filter = FingerprintFilter(expecting: expected) }

    /// Adds a fingerprint if the filter proves it new. Else the caller goes on with ``contains(_:)`` and ``append(_:)``.
    @inline(__always)
    mutating func insertIfCertain(_ fingerprint: Fingerprint) -> Bool {
        guard filter.note(fingerprint) else { return false }
        appendNoted(fingerprint)
        return true
    }

    /// - Complexity: O(fingerprints)
    func contains(_ fingerprint: Fingerprint) -> Bool {
        all.anyChunk { chunk in
            // To the end of each chunk, found or not: a plain loop is what compilers turn into vector instructions.
            var found: UInt64 = 0
            for other in chunk { found |= other == fingerprint ? 1 : 0 }
            return found != 0
        }
    }

    /// Adds a new fingerprint that the filter could not prove new.
    mutating func append(_ fingerprint: Fingerprint) {
        filter.note(fingerprint, evenTwice: true)
        appendNoted(fingerprint)
    }

    @inline(__always)
    private mutating func appendNoted(_ fingerprint: Fingerprint) {
        all.append(fingerprint)
        if count > filter.capacity { growFilter() }
    }

    /// The filter's word of the fingerprint, to read it ahead: see ``FingerprintSet/insert(_:repeated:)``.
    @inline(__always)
    borrowing func filterWord(of fingerprint: Fingerprint) -> UInt64 { filter.word(of: fingerprint) }

    func forEach(_ body: (Fingerprint) -> Void) { all.forEach(body) }

    private mutating func growFilter() {
        var larger = FingerprintFilter(expecting: filter.capacity * 2)
        all.forEach { larger.note($0, evenTwice: true) }
        filter = larger
    }
}
