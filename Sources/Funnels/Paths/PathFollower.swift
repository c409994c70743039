/// One event as paths keep it: 16 bytes.
struct PathEvent: TimedEvent {
    var time: Int64
    var name: UInt32
}

/// Follows the events of each key in turn, and adds their paths to a tree.
struct PathFollower {
    private(set) var tree = PathTree()
    private(set) var windowOpen = 0

    private let definition: PathsDefinition
    private let from: UInt32
    /// The rank of each name within a millisecond: by name, but the start comes first, or last if paths lead backwards.
    private let ranks: [Int]
    /// The data's end; backwards, its beginning.
    private let dataEnd: Int64
    private var events: [PathEvent] = []
    /// For each event the index of the one that a path looks at next: its neighbour, or the next of another name where repeats are merged.
    private var next: [Int] = []
    private var step: Int { definition.direction == .after ? 1 : -1 }

    /// - Parameter from: the number of the name that starts a path.
    init(_ definition: PathsDefinition, from: UInt32, names: [[UInt8]], dataEnd: Int64) {
        self.definition = definition
        self.from = from
        self.dataEnd = dataEnd
        var ranks = Array(repeating: 0, count: names.count)
        let sorted = names.indices.sorted { names[$0].lexicographicallyPrecedes(names[$1]) }
        for (rank, number) in sorted.enumerated() { ranks[number] = rank + 1 }
        // In either direction, a path's start comes before the events that follow it on the path.
        ranks[Int(from)] = definition.direction == .after ? 0 : names.count + 1
        self.ranks = ranks
    }

    /// - Parameter ofKey: all events of one key by rising time.
    mutating func follow(_ ofKey: UnsafeBufferPointer<PathEvent>) {
        guard ofKey.contains(where: { $0.name == from && definition.range.contains($0.time) }) else { return }
        events.removeAll(keepingCapacity: true)
        events += ofKey
        events.sort { ($0.time, ranks[Int($0.name)]) < ($1.time, ranks[Int($1.name)]) }
        next = events.indices.map { $0 + step }
        for done in events.indices.dropFirst() where definition.mergesRepeats {
            let index = step > 0 ? events.count - 1 - done : done
            if events[index + step].name == events[index].name { next[index] = next[index + step] }
        }
        for index in events.indices where events[index].name == from && definition.range.contains(events[index].time) {
            addPath(startingAt: index)
            if definition.count == .users { return }
        }
    }

    private mutating func addPath(startingAt start: Int) {
        let window = UInt64(clamping: definition.windowMilliseconds)
        tree.addStart()
        var previous = events[start]
        var (node, depth, index) = (0, 0, next[start])
        while depth < definition.depth, events.indices.contains(index), distance(from: events[start].time, to: events[index].time) <= window
        {
            let event = events[index]
            index = next[index]
            node = tree.add(event.name, after: node, milliseconds: abs(event.time - previous.time))
            previous = event
            depth += 1
        }
        guard depth < definition.depth else { return }
        tree.addEnd(after: node)
        if step > 0 && events[start].time > dataEnd || distance(from: events[start].time, to: dataEnd) < window { windowOpen += 1 }
    }

    /// The distance between two times; unsigned, so that no two times are too far apart for it.
    private func distance(from a: Int64, to b: Int64) -> UInt64 { a < b ? UInt64(bitPattern: b &- a) : UInt64(bitPattern: a &- b) }
}
