/// What the catalogue keeps of one batch of lines.
struct CatalogueBatch: Sendable {
    var head: BatchHead
    /// For each event: its name's number in `names`, its user's fingerprint (0 where it has none), its time.
    private(set) var nameNumbers: [UInt32] = []
    private(set) var users: [UInt64] = []
    private(set) var times: [Int64] = []
    var names: [[UInt8]] { table.names }

    private var table = NameTable()

    init(expecting lines: Int) {
        head = BatchHead(expecting: lines)
        nameNumbers.reserveCapacity(lines)
        users.reserveCapacity(lines)
        times.reserveCapacity(lines)
    }

    mutating func take(_ line: EventHead) {
        guard head.take(line) else { return }
        var isNew = false
        nameNumbers.append(UInt32(table.number(of: line.name, isNew: &isNew)))
        users.append(line.user.isEmpty ? 0 : Fingerprint.of(line.user))
        times.append(line.time)
    }
}
