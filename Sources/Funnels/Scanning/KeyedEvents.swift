import EventFiles

/// All events of a pass that have a key, whatever their name, divided by key.
struct KeyedEvents<Event: TimedEvent>: ~Copyable {
    private(set) var tally = BatchTally()
    /// Numbers the keys, and other fingerprints that a question wants numbered.
    private(set) var keys = FingerprintNumbers.keys
    var names: [[UInt8]] { table.names }

    private var table = NameTable()
    private var records = RecordStore<Event>()
    private var identities = Identities()
    private var withoutKey = 0
    private var cohort: CohortTest
    private let joinsKeys: Bool
    /// The number of each event's user, where lists of users ask for it.
    private var users: [UInt32] = []

    init(_ cohort: CohortTest, joinsKeys: Bool) { (self.cohort, self.joinsKeys) = (cohort, joinsKeys) }

    /// Takes the next batch, in the order of the data.
    ///
    /// - Parameter kept: gives what is kept of an event that counts, by its number in the batch and the number of its name in ``names``.
    @inline(__always)
    mutating func take(_ batch: CatalogueBatch, _ kept: (_ event: Int, _ name: UInt32, _ keys: inout FingerprintNumbers) -> Event) {
        tally.take(batch.head)
        for line in batch.identified { identities.add(line) }
        let (numbers, numberOfKey) = (table.numbers(of: batch.names), keys.numbers(of: batch.keys.all))
        for event in batch.nameNumbers.indices {
            let key = numberOfKey[Int(batch.keyNumbers[event])]
            if tally.isDuplicate(event) { continue }
            if key == 0 { withoutKey += 1 }
            if key == 0 || !batch.leftOut.isEmpty && batch.leftOut[event] { continue }
            if !batch.users.isEmpty { users.append(numberOfKey[Int(batch.users[event])]) }
            records.append(kept(event, UInt32(numbers[Int(batch.nameNumbers[event])]), &keys), of: key)
        }
    }

    /// Joins anonymous ids to their users, and leaves out the events of users whom the cohort does not admit.
    ///
    /// - Returns: the input's quality, and the owners of all numbers (``FingerprintNumbers/owners(_:)``).
    mutating func finish(_ reading: ReadResult) -> (input: InputQuality, owners: [UInt32]) {
        var input = tally.finish(reading)
        input.withoutKey = withoutKey
        let owners = keys.owners(identities)
        cohort.join(identities)
        if !users.isEmpty {
            var (admitted, index) = (RecordStore<Event>(), 0)
            records.forEach { event, key in
                if cohort.admits(user: keys.all[Int(owners[Int(users[index])])]) { admitted.append(event, of: key) }
                index += 1
            }
            records = admitted
        }
        if joinsKeys && !identities.isEmpty { records.rekey(owners) }
        return (input, owners)
    }

    /// Calls `body` as ``RecordStore/forEachKey(of:_:_:)`` does. To be called after ``finish(_:)``.
    func forEachKey(_ body: (Int, UnsafeBufferPointer<Event>) -> Void) { records.forEachKey(of: cohort, keys.all, body) }
}
