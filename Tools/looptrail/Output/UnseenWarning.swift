import Funnels

extension Invocation {
    /// Tells which names occur nowhere, and what they were perhaps meant to be.
    func warn(of unseen: [UnseenName]) {
        // Several funnels may ask for the same name.
        var told: Set<String> = []
        for unseen in unseen where told.insert(unseen.name).inserted {
            let nearest = unseen.nearest.map { ": did you mean `\($0)`?" } ?? ""
            console.warning("no event is named `\(unseen.name)`\(nearest)")
        }
    }
}
