import EventFiles

/// Into how many parts and chunks a ``RecordStore`` divides.
enum RecordStoreLayout {
    static let partCount = 64
    static let chunkCapacity = 1024
}

/// All records of a funnel, divided by key as they come.
///
/// Each part holds whole keys and is small enough to be grouped in a processor's cache. Within a part records stay in the order of
/// their arrival, which is nearly the order of time.
struct RecordStore<Event: TimedEvent>: ~Copyable {
    private typealias Layout = RecordStoreLayout

    private struct Part {
        var chunks: [UnsafeMutablePointer<FunnelRecord<Event>>] = []
        var count = 0
    }

    private var parts = Array(repeating: Part(), count: Layout.partCount)

    deinit {
        for part in parts {
            for chunk in part.chunks { chunk.deallocate() }
        }
    }

    @inline(__always)
    mutating func append(_ record: FunnelRecord<Event>) {
        let part = Int(truncatingIfNeeded: record.key.high >> 58)
        let index = parts[part].count & (Layout.chunkCapacity - 1)
        if index == 0 { parts[part].chunks.append(.allocate(capacity: Layout.chunkCapacity)) }
        parts[part].chunks[parts[part].chunks.count - 1][index] = record
        parts[part].count += 1
    }

    /// Calls `body` with each key that a cohort admits and its events by rising time, keys in no particular order.
    func forEachKey(of cohort: CohortTest, _ body: (Fingerprint, UnsafeBufferPointer<Event>) -> Void) {
        for part in 0..<Layout.partCount {
            forEachKey(inPart: part) { key, events in if cohort.admits(key) { body(key, events) } }
        }
    }

    /// Calls `body` with each key and its events by rising time, keys in no particular order.
    ///
    /// - Parameter part: which part's keys, from 0.
    /// - Complexity: O(records) for each key's records nearly in order, O(n log n) at worst.
    func forEachKey(inPart part: Int, _ body: (Fingerprint, UnsafeBufferPointer<Event>) -> Void) {
        let count = parts[part].count
        guard count > 0 else { return }
        // The keys of the part, in the order of their first record, and how many records each has.
        var groups = FingerprintNumbers(expecting: min(count, 1 << 12) / 2)
        var sizes: [Int] = []
        let groupOf = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
        defer { groupOf.deallocate() }
        forEach(in: part) { index, record in
            let group = groups.number(of: record.key)
            if group == sizes.count { sizes.append(0) }
            sizes[group] += 1
            groupOf[index] = UInt32(group)
        }

        // A counting sort: stable, and one pass over the records.
        var next: [Int] = []
        next.reserveCapacity(sizes.count)
        var total = 0
        for size in sizes {
            next.append(total)
            total += size
        }
        let events = UnsafeMutablePointer<Event>.allocate(capacity: count)
        defer { events.deallocate() }
        forEach(in: part) { index, record in
            let group = Int(groupOf[index])
            events[next[group]] = record.event
            next[group] += 1
        }
        for (group, size) in sizes.enumerated() {
            let end = next[group]
            let ofKey = UnsafeMutableBufferPointer(start: events + end - size, count: size)
            Self.sortByTime(ofKey)
            body(groups.all[group], UnsafeBufferPointer(ofKey))
        }
    }

    /// Gives the records of some keys to other keys.
    ///
    /// - Parameter newKey: the other key, or `nil` for a key that stays as it is.
    mutating func rekey(_ newKey: (Fingerprint) -> Fingerprint?) {
        var moved: [FunnelRecord<Event>] = []
        for part in 0..<Layout.partCount {
            var kept = 0
            for index in 0..<parts[part].count {
                let chunks = parts[part].chunks
                var record = chunks[index / Layout.chunkCapacity][index % Layout.chunkCapacity]
                if let key = newKey(record.key) {
                    record.key = key
                    moved.append(record)
                } else {
                    chunks[kept / Layout.chunkCapacity][kept % Layout.chunkCapacity] = record
                    kept += 1
                }
            }
            while (parts[part].chunks.count - 1) * Layout.chunkCapacity >= kept, let last = parts[part].chunks.popLast() {
                last.deallocate()
            }
            parts[part].count = kept
        }
        for record in moved { append(record) }
    }

    private func forEach(in part: Int, _ body: (Int, FunnelRecord<Event>) -> Void) {
        var index = 0
        let count = parts[part].count
        for chunk in parts[part].chunks {
            for offset in 0..<min(Layout.chunkCapacity, count - index) {
                body(index, chunk[offset])
                index += 1
            }
        }
    }

    private static func sortByTime(_ events: UnsafeMutableBufferPointer<Event>) {
        var index = 1
        while index < events.count && events[index - 1].time <= events[index].time { index += 1 }
        if index < events.count {
            var events = events
            events.sort { $0.time < $1.time }
        }
    }
}
