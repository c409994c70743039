import Funnels

extension Invocation {
    /// Warns of names that occur nowhere, and offers the nearest that does.
    func warn(of unseen: [UnseenName]) {
        // Several funnels may ask for the same name.
        var warned: Set<String> = []
        for unseen in unseen where warned.insert(unseen.name).inserted {
            let nearest = unseen.nearest.map { ": did you mean `\($0)`?" } ?? ""
            console.warning("no event is named `\(unseen.name)`\(nearest)")
        }
    }
}
