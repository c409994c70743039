/// Several descriptions as one, which run concurrently. The first error cancels the others and, once they have ended, is that of the whole.
extension Next {
    /// All values as a tuple. There is a loading value if every part has one or is known already.
    public static func zip<each Part>(_ parts: repeat Next<each Part>) -> Next where Value == (repeat each Part) {
        var all: [Next<AnyObject>] = []
        for part in repeat each parts { all.append(part.map { Slot($0) }) }
        return Next<[AnyObject]>.parallel(all).map { slots in
            var rest = slots[...]
            func next<Taken>(_: Taken.Type) -> Taken { unsafeDowncast(rest.removeFirst(), to: Slot<Taken>.self).value! }
            return (repeat next((each Part).self))
        }
    }

    /// All values as a list, in the order of the parts. There is a loading value if every part has one or is known already.
    public static func parallel<Part>(_ parts: [Next<Part>]) -> Next where Value == [Part] {
        let now = parts.compactMap(\.now)
        let loading = now.count == parts.count ? now : nil
        let isKnown = parts.allSatisfy { if case .value = $0.plan { true } else { false } }
        if isKnown, let loading { return .state(loading) }
        return Next(
            .work(
                {
                    let slots = parts.map { _ in Slot<Part>() }
                    try await together(Swift.zip(parts, slots).map { part, slot in { slot.value = try await part.value() } })
                    return .state(slots.map { $0.value! })
                }, loading: loading))
    }
}

/// Where one part of several puts its value. All have one when all parts have ended without an error.
private final class Slot<Value> {
    var value: Value?

    init(_ value: Value? = nil) { self.value = value }
}
