import EventFiles

/// The events of a page, as they came: an element of each list for each event.
struct ExploreEvents {
    /// A line that begins a session, with the numbers of its values.
    struct Line {
        var time: Int64
        var values: [UInt32]
    }

    private(set) var times: [Int64] = []
    private(set) var names: [UInt32] = []
    /// 0 for none, else the number and 1; so are sessions.
    private(set) var users: [UInt32] = []
    private(set) var sessions: [UInt32] = []
    private var values: [UInt32] = []
    /// Where the values of each event end.
    private var ends: [UInt32] = []

    var count: Int { times.count }

    mutating func append(time: Int64, name: Int, user: Int, session: Int, values: some Sequence<UInt32>) {
        times.append(time)
        names.append(UInt32(name))
        users.append(UInt32(user))
        sessions.append(UInt32(session))
        self.values += values
        ends.append(UInt32(self.values.count))
    }

    func values(of event: Int) -> ArraySlice<UInt32> { values[Int(event == 0 ? 0 : ends[event - 1])..<Int(ends[event])] }
}

/// The events of each user together.
struct ExploreBlocks {
    /// The events of one user behind those of the other.
    var order: [UInt32]
    /// The user of each block: 0, then the others.
    private(set) var users: [UInt32] = []
    private(set) var ranges: [Range<Int>] = []
    /// The events that have no user.
    private(set) var nobody = 0..<0

    /// - Parameters:
    ///   - owners: for each user the one that it became.
    ///   - isIn: whether the events of a user in a session count.
    init(_ events: ExploreEvents, _ owners: [UInt32], where isIn: (_ user: Int, _ session: Int) -> Bool) {
        var starts = Array(repeating: 0, count: owners.count + 1)
        let counted = (0..<events.count).map { isIn(Int(events.users[$0]), Int(events.sessions[$0])) }
        for event in counted.indices where counted[event] { starts[Int(owners[Int(events.users[event])]) + 1] += 1 }
        for user in 1..<starts.count { starts[user] += starts[user - 1] }
        order = Array(repeating: 0, count: starts[owners.count])
        var next = starts
        for event in counted.indices where counted[event] {
            let user = Int(owners[Int(events.users[event])])
            order[next[user]] = UInt32(event)
            next[user] += 1
        }
        nobody = 0..<starts[1]
        for user in 1..<max(owners.count, 1) where starts[user + 1] > starts[user] {
            users.append(UInt32(user))
            ranges.append(starts[user]..<starts[user + 1])
        }
    }
}
