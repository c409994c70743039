import EventFiles

/// Keeps all events that have a key, divided by key. At the end it adds the paths of each key to a tree.
struct PathsAccumulator: ~Copyable, BatchSum {
    private let definition: PathsDefinition
    private var tally = BatchTally()
    private var records = RecordStore<PathEvent>()
    private var keys = FingerprintNumbers.keys
    private var identities = Identities()
    private var names = NameTable()
    private var withoutKey = 0
    private let cohort: CohortTest

    init(_ definition: PathsDefinition) {
        self.definition = definition
        cohort = CohortTest(definition.cohort, countedBy: definition.key)
    }

    mutating func take(_ batch: CatalogueBatch) {
        tally.take(batch.head)
        for line in batch.identified { identities.add(line) }
        withoutKey += tally.count(missingIn: batch.keyNumbers)
        let (numbers, numberOfKey) = (names.numbers(of: batch.names), keys.numbers(of: batch.keys.all))
        for event in batch.nameNumbers.indices {
            let key = numberOfKey[Int(batch.keyNumbers[event])]
            if key == 0 || tally.isDuplicate(event) { continue }
            if !batch.leftOut.isEmpty && batch.leftOut[event] { continue }
            let number = numbers[Int(batch.nameNumbers[event])]
            records.append(PathEvent(time: batch.times[event], name: UInt32(number)), of: key)
        }
    }

    consuming func answer(_ reading: ReadResult) -> EventPaths {
        var input = tally.finish(reading)
        input.withoutKey = withoutKey
        // Backwards, paths end at the data's beginning.
        if definition.direction == .after { input.dataEnd = tally.days.end(before: definition.windowMilliseconds) }
        if !identities.isEmpty { records.rekey(keys.owners(identities)) }
        let names = names.names
        guard let from = names.firstIndex(of: Array(definition.from.utf8)) else {
            let known = names.map { String(decoding: $0, as: UTF8.self) }.sorted().prefix(SeenNames.mostTexts)
            return EventPaths(
                definition: definition, starts: 0, next: [], windowOpen: 0, input: input,
                unseenName: UnseenName(name: definition.from, nearest: NearestName.find(definition.from, in: known)))
        }
        let edge = input.dataEnd?.milliseconds ?? input.firstMilliseconds ?? 0
        var follower = PathFollower(definition, from: UInt32(from), names: names, dataEnd: edge)
        records.forEachKey(of: cohort, keys.all) { follower.follow($1) }
        return EventPaths(
            definition: definition, starts: follower.tree.starts, next: follower.tree.nodes(definition, names: names),
            windowOpen: follower.windowOpen, input: input, unseenName: nil)
    }
}
