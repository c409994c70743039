/// A small number kept for each name of event, such as its row in a table, found again in a few nanoseconds. ``EventName/name(of:)`` makes
/// a `String`; whatever looks at every step asks here and pays for the name once a kind. Events that name themselves (``NamedEvent``) may
/// have several names in one kind, so these are asked each time.
package struct EventKinds {
    /// The bound on remembered names of events that name themselves: an app may put an id into them by mistake.
    package static let nameLimit = 1_000

    private struct Recent {
        /// 0 where none was seen.
        var key: UInt = 0
        var number = 0
    }

    private enum Kind {
        case fixed(Int)
        case namesItself
    }

    /// For each slot, the last kind seen of those that share it. Most loops have fewer kinds than slots.
    private var recent = ContiguousArray(repeating: Recent(), count: 64)
    private var kinds: [UInt: Kind] = [:]
    private var names: [String: Int] = [:]

    package init() {}

    /// The number that is kept for the name of an event, which has the same static type at every call. `make` gives the number for a name
    /// that was not seen before. It may be called again for a name, and always gives the same then: two kinds may share a name, and names
    /// beyond the limit are not remembered.
    package mutating func number<Event>(for event: Event, make: (String) -> Int) -> Int {
        // Never 0 (empty slot). Enums use tag + 1, others a pointer; the ranges cannot collide.
        let key = EnumTag.of(event).map { UInt($0) + 1 } ?? EventName.key(of: event)
        // Keys differ in few bits; the multiplication brings these to the top.
        let slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 58)
        if recent[slot].key == key { return recent[slot].number }
        if kinds[key] == nil {
            kinds[key] = event is any NamedEvent ? .namesItself : .fixed(make(EventName.name(of: event)))
        }
        if case .fixed(let number) = kinds[key] {
            recent[slot] = Recent(key: key, number: number)
            return number
        }
        let name = EventName.name(of: event)
        if let number = names[name] { return number }
        let number = make(name)
        if names.count < Self.nameLimit { names[name] = number }
        return number
    }
}
