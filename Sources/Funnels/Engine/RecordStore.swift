import EventFiles

/// What a record store keeps of an event. It has a time to be sorted by.
protocol TimedEvent {
    /// In milliseconds since 1970 UTC.
    var time: Int64 { get }
}

/// The events of a pass that count, in the order of their arrival, each with the number of its key.
struct RecordStore<Event: TimedEvent> {
    private struct Chunk {
        var events: [Event] = []
        var keys: [UInt32] = []

        mutating func rekey(_ owners: [UInt32]) { for index in keys.indices { keys[index] = owners[Int(keys[index])] } }
    }

    private static var chunkCapacity: Int { 1 << 16 }

    /// Full chunks. A single array would be copied into new memory each time that it doubles.
    private var chunks: [Chunk] = []
    private var last = Chunk()
    /// Replaces the chunks once ``sort(keys:)`` was called: the events by key and time, and for each key where its events end.
    private var sorted: (events: [Event], ends: [Int])?

    var count: Int { chunks.count * Self.chunkCapacity + last.keys.count }

    @inline(__always)
    mutating func append(_ event: Event, of key: UInt32) {
        if last.keys.count == Self.chunkCapacity { beginChunk() }
        last.events.append(event)
        last.keys.append(key)
    }

    private mutating func beginChunk() {
        chunks.append(last)
        last = Chunk()
        last.events.reserveCapacity(Self.chunkCapacity)
        last.keys.reserveCapacity(Self.chunkCapacity)
    }

    /// Calls `body` with each event and the number of its key, in the order of their arrival.
    @inline(__always)
    func forEach(_ body: (Event, UInt32) -> Void) {
        for chunk in chunks + [last] {
            for index in chunk.keys.indices { body(chunk.events[index], chunk.keys[index]) }
        }
    }

    /// Gives the events of each key to its owner: see ``FingerprintNumbers/owners(_:)``.
    mutating func rekey(_ owners: [UInt32]) {
        for chunk in chunks.indices { chunks[chunk].rekey(owners) }
        last.rekey(owners)
    }

    /// Calls `body` with the number of each key that a cohort admits and its events by rising time, keys by rising number.
    ///
    /// - Parameter fingerprints: those of the keys, by the keys' numbers.
    /// - Complexity: O(events + keys) if each key's events came nearly in order, O(n log n) at worst.
    func forEachKey(of cohort: CohortTest, _ fingerprints: [Fingerprint], _ body: (Int, UnsafeBufferPointer<Event>) -> Void) {
        let (events, ends) = sorted ?? byKey(fingerprints.count)
        events.withUnsafeBufferPointer { events in
            for key in ends.indices {
                let ofKey = events[(key > 0 ? ends[key - 1] : 0)..<ends[key]]
                if !ofKey.isEmpty && cohort.admits(fingerprints[key]) { body(key, UnsafeBufferPointer(rebasing: ofKey)) }
            }
        }
    }

    /// Sorts once for all calls of ``forEachKey(of:_:_:)`` that follow. No event may be appended afterwards.
    mutating func sort(keys: Int) {
        sorted = byKey(keys)
        (chunks, last) = ([], Chunk())
    }

    private func byKey(_ keys: Int) -> (events: [Event], ends: [Int]) {
        // For each key, where its next event goes: at first where the key's events begin, in the end where those of the next key begin.
        var next = Array(repeating: 0, count: keys + 1)
        forEach { _, key in next[Int(key) + 1] += 1 }
        for key in 0..<keys { next[key + 1] += next[key] }
        next.removeLast()
        let events = [Event](unsafeUninitializedCapacity: count) { sorted, initialized in
            forEach { event, key in
                sorted.initializeElement(at: next[Int(key)], to: event)
                next[Int(key)] += 1
            }
            initialized = count
            for key in next.indices {
                var ofKey = UnsafeMutableBufferPointer(rebasing: sorted[(key > 0 ? next[key - 1] : 0)..<next[key]])
                // Most keys have few events, which came in order.
                let isSorted = ofKey.indices.dropFirst().allSatisfy { ofKey[$0 - 1].time <= ofKey[$0].time }
                if !isSorted { ofKey.sort { $0.time < $1.time } }
            }
        }
        return (events, next)
    }
}
