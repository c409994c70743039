import EventFiles

/// Keeps all events with a key, divided by it, and at the end follows each key into a tree.
struct PathsAccumulator: ~Copyable, BatchSum {
    private let definition: PathsDefinition
    private var tally = BatchTally()
    /// Records whose steps are the number of the event's name.
    private var records = RecordStore<StepEvent>()
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
        withoutKey += tally.count(missingIn: batch.keys)
        let numbers = names.numbers(of: batch.names)
        for event in batch.nameNumbers.indices {
            let key = batch.keys[event]
            if key.isNone || tally.isDuplicate(event) { continue }
            if !batch.leftOut.isEmpty && batch.leftOut[event] { continue }
            let number = numbers[Int(batch.nameNumbers[event])]
            records.append(FunnelRecord(key: key, event: StepEvent(time: batch.times[event], steps: UInt32(number))))
        }
    }

    consuming func answer(_ report: ReadResult) -> EventPaths {
        var input = tally.finish(report)
        input.withoutKey = withoutKey
        if !identities.isEmpty {
            let joined = identities.joined
            records.rekey { joined[$0] }
        }
        let names = names.names
        guard let from = names.firstIndex(of: Array(definition.from.utf8)) else {
            let known = names.map { String(decoding: $0, as: UTF8.self) }.sorted().prefix(SeenNames.mostTexts)
            return EventPaths(
                definition: definition, starts: 0, next: [], windowOpen: 0, input: input,
                unseenName: UnseenName(name: definition.from, nearest: NearestName.find(definition.from, in: known)))
        }
        let edge = definition.direction == .after ? input.lastMilliseconds : input.firstMilliseconds
        var follower = PathFollower(definition, from: UInt32(from), names: names, dataEnd: edge ?? 0)
        records.forEachKey(of: cohort) { follower.follow($1) }
        return EventPaths(
            definition: definition, starts: follower.tree.starts, next: follower.tree.nodes(definition, names: names),
            windowOpen: follower.windowOpen, input: input, unseenName: nil)
    }
}
