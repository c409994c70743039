/// All paths as one tree: paths that begin with the same events in the same order share the entries of these events.
struct PathTree {
    private struct Entry {
        var name: UInt32
        var count = 0
        /// Paths that end here.
        var ends = 0
        /// The time since the event before, once for each path through here.
        var milliseconds: [Int64] = []
        var children: [Int] = []
    }

    /// The first entry, at index 0, is the start.
    private var entries = [Entry(name: .max)]
    private var childOf: [UInt64: Int] = [:]

    var starts: Int { entries[0].count }

    /// Begins a path, at the entry of the start.
    mutating func addStart() { entries[0].count += 1 }

    /// Leads a path on from the entry at `index` to an event. Returns the index of the event's entry.
    mutating func add(_ name: UInt32, after index: Int, milliseconds: Int64) -> Int {
        let link = UInt64(index) << 32 | UInt64(name)
        let child = childOf[link] ?? entries.count
        if child == entries.count {
            entries.append(Entry(name: name))
            childOf[link] = child
            entries[index].children.append(child)
        }
        entries[child].count += 1
        entries[child].milliseconds.append(milliseconds)
        return child
    }

    mutating func addEnd(after index: Int) { entries[index].ends += 1 }

    /// The nodes after an entry, by default after the start. Rare events become one node.
    func nodes(_ definition: PathsDefinition, names: [[UInt8]], after index: Int = 0) -> [EventPaths.Node] {
        let all = Double(starts)
        let before = Double(entries[index].count)
        func node(_ what: EventPaths.Place, _ count: Int, _ milliseconds: [Int64], _ next: [EventPaths.Node]) -> EventPaths.Node {
            var sample = milliseconds
            return EventPaths.Node(
                place: what, count: count, ofStarts: Double(count) / all, ofPrevious: Double(count) / before,
                fromPrevious: Distribution(sorting: &sample), next: next)
        }
        let children = entries[index].children.sorted { a, b in
            if entries[a].count != entries[b].count { return entries[a].count > entries[b].count }
            return names[Int(entries[a].name)].lexicographicallyPrecedes(names[Int(entries[b].name)])
        }
        let told = children.prefix(max(definition.top, 1)).prefix { Double(entries[$0].count) >= definition.leastShare * all }
        var nodes = told.map { child in
            let entry = entries[child]
            let name = String(decoding: names[Int(entry.name)], as: UTF8.self)
            return node(.event(name: name), entry.count, entry.milliseconds, self.nodes(definition, names: names, after: child))
        }
        let rest = children.dropFirst(told.count)
        if !rest.isEmpty {
            let count = rest.reduce(0) { $0 + entries[$1].count }
            nodes.append(node(.other(names: rest.count), count, rest.flatMap { entries[$0].milliseconds }, []))
        }
        if entries[index].ends > 0 { nodes.append(node(.end, entries[index].ends, [], [])) }
        return nodes
    }
}
