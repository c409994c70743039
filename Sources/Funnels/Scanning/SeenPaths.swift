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
    /// - Parameter props: of one event, or of the line that begins a session.
    @inline(__always)
    mutating func look(for paths: [PropertyReader], in props: UnsafeRawBufferPointer) {
        if isSeen.contains(false) { lookClosely(for: paths, in: props) }
    }

    private mutating func lookClosely(for paths: [PropertyReader], in props: UnsafeRawBufferPointer) {
        hasLooked = true
        for place in paths.indices where !isSeen[place] {
            if case .missing = paths[place].value(in: props) { continue }
            isSeen[place] = true
        }
        guard looked < Self.sample, isSeen.contains(false) else { return }
        looked += 1
        // What is not well-formed has no properties.
        var found: [[String]] = []
        guard (try? walk(props, at: 0, path: [], to: &found)) != nil else { return }
        for path in found where others.count < Self.mostPaths { others.insert(path) }
    }

    private func walk(_ props: UnsafeRawBufferPointer, at place: Int, path: [String], to all: inout [[String]]) throws(BadLine) {
        guard place > 0 || props.first == UInt8(ascii: "{") else { return }
        var cursor = JSONCursor(props, at: place)
        var objects: [(place: Int, path: [String])] = []
        try cursor.forEachEntry { key, value in
            let found = path + [key.string(in: props)]
            all.append(found)
            if value.kind == .object && found.count < Self.depth { objects.append((value.text.range.lowerBound, found)) }
        }
        for object in objects { try walk(props, at: object.place, path: object.path, to: &all) }
    }

    mutating func add(_ other: SeenPaths) {
        for place in isSeen.indices where other.isSeen[place] { isSeen[place] = true }
        if others.count < Self.mostPaths { others.formUnion(other.others) }
        hasLooked = hasLooked || other.hasLooked
    }

    /// Those of some paths that did not occur, each with the nearest one that did.
    func unseen(_ paths: [[String]], in place: PropertySource, wanted: (Int) -> Bool) -> [UnseenName] {
        var texts: [String] = []
        return paths.indices.filter { wanted($0) && !isSeen[$0] }.map { missing in
            if texts.isEmpty { texts = others.map { PropertyPath.text($0, in: place) }.sorted() }
            let text = PropertyPath.text(paths[missing], in: place)
            return UnseenName(name: text, nearest: NearestName.find(text, in: texts))
        }
    }
}

extension FunnelDefinition {
    /// The paths that the definition asks about at one place, in their order.
    func asked(in place: PropertySource) -> [[String]] {
        let patterns = steps.map(\.pattern) + exclusions.map(\.pattern)
        var paths = patterns.flatMap(\.tests).filter { $0.place == place }.map(\.path)
        if let breakdown, breakdown.place == place { paths.append(breakdown.path) }
        switch (key, place) {
        case (.property(let path), .event), (.context(let path), .session): paths.append(path)
        default: break
        }
        if let hold, place == .event { paths.append(hold) }
        return paths
    }
}
