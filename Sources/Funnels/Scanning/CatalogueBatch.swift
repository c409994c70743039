/// What a run that needs every event, such as the catalogue, keeps of one batch of lines.
struct CatalogueBatch: HeadedBatch {
    var head: BatchHead
    /// For each event: the number of its name in ``names``, the number of its key in ``keys``, its time.
    private(set) var nameNumbers: [UInt32] = []
    private(set) var keyNumbers: [UInt32] = []
    private(set) var times: [Int64] = []
    var names: [[UInt8]] { table.names }
    private(set) var keys = FingerprintNumbers.keys
    /// Whether each event is left out because the cohort does not admit its line; empty if the cohort is not looked up by lines.
    private(set) var leftOut: [Bool] = []
    /// For each event the number of its user in ``keys``; empty where no list of users asks for it.
    private(set) var users: [UInt32] = []

    /// Lines that join an anonymous id to a user, if they are wanted.
    private(set) var identified: [IdentifiedLine] = []

    private let key: KeyReader
    private let joins: Bool
    private let cohort: CohortTest
    private var table = NameTable()

    /// - Parameter joins: whether `identified` lines are kept.
    init(_ key: KeyReader = .user, joins: Bool = false, cohort: CohortTest = .everyone, expecting lines: Int) {
        self.cohort = cohort
        self.key = key
        self.joins = joins
        head = BatchHead(expecting: lines)
        nameNumbers.reserveCapacity(lines)
        keyNumbers.reserveCapacity(lines)
        times.reserveCapacity(lines)
    }

    mutating func take(_ line: EventHead) {
        guard head.take(line) else {
            if joins, let line = IdentifiedLine(line) { identified.append(line) }
            return
        }
        note(line)
    }

    /// Takes what is kept of an event whose head is counted here or in another batch of the same lines.
    mutating func note(_ line: EventHead) {
        nameNumbers.append(UInt32(table.number(of: line.name)))
        keyNumbers.append(UInt32(keys.number(of: key.fingerprint(line))))
        times.append(line.time)
        if cohort.asksLines { leftOut.append(!cohort.admits(line)) }
        if cohort.asksUsers { users.append(UInt32(keys.number(of: line.user.fingerprint))) }
    }
}
