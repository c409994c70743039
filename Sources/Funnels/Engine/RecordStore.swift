import EventFiles

/// What a record store keeps of an event: it can be put in the order of time.
protocol TimedEvent {
    /// In milliseconds since 1970 UTC.
    var time: Int64 { get }
}

/// The events of a pass that count, in the order of their arrival, each with the number of its key.
struct RecordStore<Event: TimedEvent> {
    private(set) var events: [Event] = []
    private(set) var keys: [UInt32] = []

    @inline(__always)
    mutating func append(_ event: Event, of key: UInt32) {
        events.append(event)
        keys.append(key)
    }

    /// Gives the events of each key to its owner: see ``FingerprintNumbers/owners(_:)``.
    mutating func rekey(_ owners: [UInt32]) {
        for index in keys.indices { keys[index] = owners[Int(keys[index])] }
    }

    /// Calls `body` with the number of each key that a cohort admits and its events by rising time, keys by rising number.
    ///
    /// - Parameter fingerprints: of the keys, by their numbers.
    /// - Complexity: O(events + keys) if each key's events came nearly in order, O(n log n) at worst.
    func forEachKey(of cohort: CohortTest, _ fingerprints: [Fingerprint], _ body: (Int, UnsafeBufferPointer<Event>) -> Void) {
        // Where the events of each key begin; then, as each is put there, where the next one goes: at the end, where the next key's begin.
        var next = Array(repeating: 0, count: fingerprints.count + 1)
        for key in keys { next[Int(key) + 1] += 1 }
        for key in fingerprints.indices { next[key + 1] += next[key] }
        var order = Array(repeating: UInt32(0), count: keys.count)
        for (index, key) in keys.enumerated() {
            order[next[Int(key)]] = UInt32(index)
            next[Int(key)] += 1
        }
        var ofKey: [Event] = []
        for key in fingerprints.indices {
            let indices = order[(key > 0 ? next[key - 1] : 0)..<next[key]]
            if indices.isEmpty || !cohort.admits(fingerprints[key]) { continue }
            ofKey.removeAll(keepingCapacity: true)
            var isSorted = true
            for index in indices {
                let event = events[Int(index)]
                if let last = ofKey.last, last.time > event.time { isSorted = false }
                ofKey.append(event)
            }
            if !isSorted { ofKey.sort { $0.time < $1.time } }
            ofKey.withUnsafeBufferPointer { body(key, $0) }
        }
    }
}
