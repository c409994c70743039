/// Finds the small number that is kept for an event's name, such as a row in a table, in a few nanoseconds. ``EventName/name(of:)`` makes a
/// `String`; code that looks at every step asks here instead and pays for the name once per kind. Events that name themselves
/// (``NamedEvent``) may have several names in one kind, so these are asked each time.
package struct EventKinds {
    /// How many names of events that name themselves are remembered: an app may put an id into such names by mistake.
    package static let nameLimit = 1_000

    private enum Kind {
        case fixed(Int)
        case namesItself
    }

    /// For each slot, the last kind seen of those that share it; the key is 0 before the first. Most loops have fewer kinds than slots.
    private var recent = ContiguousArray(repeating: (key: UInt(0), number: 0), count: 64)
    private var kinds: [UInt: Kind] = [:]
    private var names: [String: Int] = [:]

    package init() {}

    /// The number that is kept for the name of an event. `Event` must be the same type at every call. `make` gives the number for a name
    /// that was not seen before. It may be called again for a name, as two kinds may share one and names beyond the limit are not
    /// remembered: another number must mean the same to the caller.
    package mutating func number<Event>(for event: Event, make: (String) -> Int) -> Int {
        // Never 0 (empty slot). Enums use tag + 1, others a pointer; the ranges cannot collide.
        let key = EnumTag.of(event).map { UInt($0) + 1 } ?? EventName.key(of: event)
        // Keys differ in few bits; the multiplication brings these to the top.
        let slot = Int(truncatingIfNeeded: (UInt64(key) &* 0x9E37_79B9_7F4A_7C15) >> 58)
        if recent[slot].key == key { return recent[slot].number }
        if kinds[key] == nil { kinds[key] = event is any NamedEvent ? .namesItself : .fixed(make(EventName.name(of: event))) }
        if case .fixed(let number) = kinds[key] {
            recent[slot] = (key, number)
            return number
        }
        let name = EventName.name(of: event)
        if let number = names[name] { return number }
        let number = make(name)
        if names.count < Self.nameLimit { names[name] = number }
        return number
    }
}
