/// Several at a time. All run concurrently, on the system's isolation; the first error cancels the others and is the error of
/// the whole, once they have ended.
extension Next {
    /// All values as a tuple.
    ///
    /// There is a loading value if every part has one or is known already.
    public static func zip<each Part>(_ parts: repeat Next<each Part>) -> Next where Value == (repeat each Part) {
        var known = true
        for part in repeat each parts { if case .work = part.plan { known = false } }
        if known, let values = try? (repeat (each parts).valueNow()) { return .state(values) }
        return Next(
            .work(
                {
                    let slots = (repeat Slot<each Part>())
                    var works: [Next<Void>.Work] = []
                    for (part, slot) in repeat (each parts, each slots) {
                        works.append { slot.value = try await part.value() }
                    }
                    try await together(works)
                    return .state((repeat try (each slots).taken()))
                }, loading: try? (repeat (each parts).valueNow())))
    }

    /// All values as a list, in the order of the parts.
    ///
    /// There is a loading value if every part has one or is known already.
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
                    return .state(try slots.map { try $0.taken() })
                }, loading: loading))
    }

    private func valueNow() throws(NothingYet) -> Value {
        guard let now else { throw NothingYet() }
        return now
    }
}

private struct NothingYet: Error {}

/// Where one part of several puts its value.
private final class Slot<Value> {
    var value: Value?

    func taken() throws(NothingYet) -> Value {
        guard let value else { throw NothingYet() }
        return value
    }
}
