import TrackingEvents

/// Which of the properties that funnels ask about occurred, and which others did that may have been meant.
struct SeenPaths: Sendable {
    /// Of so many events of a batch the properties are looked through where one that is asked about is missing.
    private static let sample = 32
    static let mostPaths = 2000
    private static let depth = 4

    private(set) var isSeen: [Bool]
    private(set) var others: Set<[String]> = []
    private var looked = 0
    /// Whether there was anything to look at.
    private(set) var hasLooked = false

    init(count: Int) { isSeen = Array(repeating: false, count: count) }

    /// Looks for the paths that have not been seen yet.
    ///
    /// - Parameters:
    ///   - props: of one event, or of the line that begins a session.
    ///   - others: the paths that are asked for in the other source: where one of them is missing, it may be meant to be here.
    @inline(__always)
    mutating func look(for paths: [PropertyReader], in props: UnsafeRawBufferPointer, andFor others: SeenPaths) {
        let isMissing = isSeen.contains(false)
        if isMissing || looked < Self.sample && others.isSeen.contains(false) { lookClosely(for: paths, in: props, isMissing) }
    }

    private mutating func lookClosely(for paths: [PropertyReader], in props: UnsafeRawBufferPointer, _ isMissing: Bool) {
        hasLooked = hasLooked || isMissing
        for index in paths.indices where !isSeen[index] {
            if case .missing = paths[index].value(in: props) { continue }
            isSeen[index] = true
        }
        guard looked < Self.sample else { return }
        looked += 1
        // What is not well-formed has no properties.
        var found: [[String]] = []
        guard (try? walk(props, at: 0, path: [], to: &found)) != nil else { return }
        for path in found where others.count < Self.mostPaths { others.insert(path) }
    }

    private func walk(_ props: UnsafeRawBufferPointer, at index: Int, path: [String], to all: inout [[String]]) throws(BadLine) {
        guard index > 0 || props.first == UInt8(ascii: "{") else { return }
        var cursor = JSONCursor(props, at: index)
        var objects: [(index: Int, path: [String])] = []
        try cursor.forEachEntry { key, value in
            let found = path + [key.string(in: props)]
            all.append(found)
            if value.kind == .object && found.count < Self.depth { objects.append((value.text.range.lowerBound, found)) }
        }
        for object in objects { try walk(props, at: object.index, path: object.path, to: &all) }
    }

    mutating func add(_ other: SeenPaths) {
        for index in isSeen.indices where other.isSeen[index] { isSeen[index] = true }
        if others.count < Self.mostPaths { others.formUnion(other.others) }
        hasLooked = hasLooked || other.hasLooked
    }

    /// Those of some paths that did not occur, each with the nearest one that did, of an event or of a session.
    ///
    /// - Parameter elsewhere: what occurred in the other source.
    func unseen(_ paths: [[String]], in source: PropertySource, _ elsewhere: SeenPaths, wanted: (Int) -> Bool) -> [UnseenName] {
        let missing = paths.indices.filter { wanted($0) && !isSeen[$0] }
        if missing.isEmpty { return [] }
        let other: PropertySource = source == .event ? .session : .event
        var named: [String: String] = [:]
        for path in elsewhere.others { named[GrammarText.path(path)] = PropertyPath.text(path, in: other) }
        for path in others { named[GrammarText.path(path)] = PropertyPath.text(path, in: source) }
        let texts = named.keys.sorted()
        return missing.map { index in
            let nearest = NearestName.find(GrammarText.path(paths[index]), in: texts).flatMap { named[$0] }
            return UnseenName(name: PropertyPath.text(paths[index], in: source), nearest: nearest)
        }
    }
}

extension FunnelDefinition {
    /// The paths that the definition asks about in one source, in their order.
    func asked(in source: PropertySource) -> [[String]] {
        let patterns = steps.map(\.pattern) + exclusions.map(\.pattern)
        var paths = patterns.flatMap(\.tests).filter { $0.source == source }.map(\.path)
        if let breakdown, breakdown.source == source { paths.append(breakdown.path) }
        switch (key, source) {
        case (.property(let path), .event), (.context(let path), .session): paths.append(path)
        default: break
        }
        if let hold, source == .event { paths.append(hold) }
        return paths
    }
}
