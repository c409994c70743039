import EventFiles

/// Keeps all events that have a key, divided by key. At the end it adds the paths of each key to a tree.
struct PathsAccumulator: ~Copyable, BatchSum {
    private let definition: PathsDefinition
    private var records: KeyedEvents<PathEvent>

    init(_ definition: PathsDefinition) {
        self.definition = definition
        records = KeyedEvents(definition.cohortTest, joinsKeys: definition.key == .user)
    }

    mutating func take(_ batch: CatalogueBatch) {
        records.take(batch) { event, name, _ in PathEvent(time: batch.times[event], name: name) }
    }

    consuming func answer(_ reading: ReadResult) -> EventPaths {
        var input = records.finish(reading).input
        // Backwards, paths end at the data's beginning.
        if definition.direction == .after { input.dataEnd = records.tally.days.end(before: definition.windowMilliseconds) }
        let names = records.names
        guard let from = names.firstIndex(of: Array(definition.from.utf8)) else {
            let known = names.map { String(decoding: $0, as: UTF8.self) }.sorted().prefix(SeenNames.mostTexts)
            return EventPaths(
                definition: definition, starts: 0, next: [], windowOpen: 0, input: input,
                unseenName: UnseenName(name: definition.from, nearest: NearestName.find(definition.from, in: known)))
        }
        let edge = input.dataEnd?.milliseconds ?? input.firstMilliseconds ?? 0
        var follower = PathFollower(definition, from: UInt32(from), names: names, dataEnd: edge)
        records.forEachKey { follower.follow($1) }
        return EventPaths(
            definition: definition, starts: follower.tree.starts, next: follower.tree.nodes(definition, names: names),
            windowOpen: follower.windowOpen, input: input, unseenName: nil)
    }
}
