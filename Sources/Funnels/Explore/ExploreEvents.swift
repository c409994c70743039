/// The events of a page in the order of reading: an element of each list for each event.
struct ExploreEvents {
    private(set) var times: [Int64] = []
    private(set) var names: [UInt32] = []
    /// 0 for none, as in ``sessions``.
    private(set) var users: [UInt32] = []
    private(set) var sessions: [UInt32] = []
    private var values: [UInt32] = []
    /// Where the values of each event end.
    private var ends: [UInt32] = []

    mutating func append(time: Int64, name: Int, user: Int, session: Int, values: some Sequence<UInt32>) {
        times.append(time)
        names.append(UInt32(name))
        users.append(UInt32(user))
        sessions.append(UInt32(session))
        self.values += values
        ends.append(UInt32(self.values.count))
    }

    func values(of event: Int) -> ArraySlice<UInt32> { values[Int(event == 0 ? 0 : ends[event - 1])..<Int(ends[event])] }

    /// The events that `isIn` takes, in blocks by the user that each id became; events without a user come first.
    func blocks(_ owners: [UInt32], where isIn: (_ user: Int, _ session: Int) -> Bool) -> [[UInt32]] {
        var blocks = Array(repeating: [UInt32](), count: owners.count)
        for event in times.indices where isIn(Int(users[event]), Int(sessions[event])) {
            blocks[Int(owners[Int(users[event])])].append(UInt32(event))
        }
        return blocks
    }
}
