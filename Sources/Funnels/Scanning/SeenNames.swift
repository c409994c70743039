import EventFiles

/// Which names occurred. All of them by fingerprint, and as many by text as suggestions need.
struct SeenNames {
    /// The most names that are kept as texts. Data with more has values in its names, and suggestions from such names would help nobody.
    static let mostTexts = 10_000
    /// The most suggestions. Each costs a look at all texts, and nobody reads more than a few.
    private static let mostSuggestions = 20

    private(set) var fingerprints: Set<Fingerprint> = []
    private(set) var texts: [String] = []

    mutating func insert(_ name: [UInt8]) {
        guard fingerprints.insert(name.withUnsafeBytes { Fingerprint.of($0) }).inserted, texts.count < Self.mostTexts else { return }
        texts.append(String(decoding: name, as: UTF8.self))
    }

    mutating func insert(_ name: Fingerprint) { fingerprints.insert(name) }

    mutating func add(_ other: SeenNames) {
        for text in other.texts { insert(Array(text.utf8)) }
        fingerprints.formUnion(other.fingerprints)
    }

    /// The names of a funnel's steps and exclusions that did not occur, each with the nearest one that did.
    func unseen(in definition: FunnelDefinition) -> [UnseenName] {
        var (missing, known): ([String], Set<String>) = ([], [])
        for pattern in definition.patterns {
            guard case .oneOf(let names) = pattern.names else { continue }
            missing += names.filter { !fingerprints.contains(.of($0)) && known.insert($0).inserted }
        }
        if missing.isEmpty { return [] }
        let candidates = texts.sorted()
        return missing.enumerated().map { index, name in
            UnseenName(name: name, nearest: index < Self.mostSuggestions ? NearestName.find(name, in: candidates) : nil)
        }
    }
}
